import { choiceCount, choiceTable } from 'halfspace-bench/quality/report.mjs';
import { circumstances, commands, groupSection, programs } from 'halfspace-bench/report/markdown.mjs';
import type { Accuracies, Contender, Results } from '../measurements.ts';

/** The least width of the scale of accuracies, so that small differences look small. */
const leastWidth = 0.1;

/** Draws the time of each program as a bar, the fastest first, and beside it the accuracy as a dot on a common scale. */
function timeChart(contenders: readonly Contender[]): string {
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

/** The groups of the bench in the order of the page. */
const groups = ['text', 'dense', 'small', 'answers'];
/** The groups whose programs learn. */
const charted = ['text', 'dense', 'small'];

/** Writes the sections of the page of numbers as Markdown: a chart's place first, then all figures of a group. */
export function numbersPart(results: Results, accuracies: Accuracies): string {
  const sections = groups.flatMap((name) => {
    const [heading, data, table, ...rest] = groupSection(results, name);
    return charted.includes(name)
      ? [heading, data, `<numbers-chart of="${name}"></numbers-chart>`, folded('All figures', [table, ...rest])]
      : [heading, data, table, folded('Ratios', rest)];
  });
  return [
    '## Machine and programs',
    circumstances(results),
    programs(results),
    ...sections,
    '## Accuracy on published sets',
    `Shares of right answers on held-out rows: halfspace ${accuracies.halfspace}, which chose the rule itself, and linear models of ` +
      `scikit-learn ${accuracies.peer.version}. s.e. is the standard error of a share of so many rows.`,
    choiceTable(accuracies.sets, accuracies.peer.columns),
    choiceCount(accuracies.sets, accuracies.peer.columns),
    'Measured by `npm run quality`; [the recorded results](measurements/accuracy.json).',
    '## Commands',
    'In the folder of the bench, after `npm run bench` has made the data:',
    folded('All commands', [commands(results)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Draws the charts of the page, by the names that their places have. */
export function numbersCharts({ groups }: Results): Map<string, string> {
  return new Map(charted.map((name) => [name, timeChart(groups[name]!.contenders)]));
}

function folded(summary: string, parts: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...parts, '</details>'].filter((part) => part !== '').join('\n\n');
}
