import type { Contender } from '../measurements.ts';

/** The least width of the scale of accuracies, so that small differences look small. */
const leastWidth = 0.1;

/** Draws the time of each program as a bar, the fastest first, and beside it the accuracy as a dot on a common scale. */
export function timeChart(contenders: readonly Contender[]): string {
  const of = ({ seconds }: Contender) => seconds.median;
  const measured = contenders.filter(({ failure }) => failure === undefined).sort((a, b) => of(a) - of(b));
  const longest = Math.max(...measured.map(of));
  const { from, to } = around(measured.map(({ accuracy }) => accuracy));
  const lines = measured.map((contender) => {
    const { name, accuracy } = contender;
    const [program, task] = split(name);
    const time = of(contender);
    return [
      `<li${program === 'halfspace' ? ' class="ours"' : ''}>`,
      `<span class="who"><b>${program}</b> ${task}</span>`,
      `<span class="bar" aria-hidden="true"><i style="width:${share(time / longest)}%"></i></span>`,
      `<span class="seconds">${time.toFixed(2)} s</span>`,
      `<span class="scale" aria-hidden="true"><i style="left:${share((accuracy - from) / (to - from))}%"></i></span>`,
      `<span class="right">${percent(accuracy)}</span></li>`,
    ].join('');
  });
  return [
    '<figure class="time-chart"><ul>',
    ...lines,
    `</ul><figcaption>Bars: time of the whole process, median. `,
    `Dots: right answers on held-out rows; the scale is from ${percent(from)} to ${percent(to)}.</figcaption></figure>`,
  ].join('');
}

/** The ends of a scale with all values. */
function around(values: readonly number[]): { from: number; to: number } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spare = Math.max(0, leastWidth - (most - least)) / 2;
  return { from: least - spare, to: most + spare };
}

/** The program's own name, and what it was asked to do. */
function split(name: string): [program: string, task: string] {
  const [, program = name, task = ''] = /^(Vowpal Wabbit|LIBLINEAR|scikit-learn|\S+) ?(.*)$/.exec(name) ?? [];
  return [program, task];
}

const share = (part: number) => Number((100 * part).toFixed(1));
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
