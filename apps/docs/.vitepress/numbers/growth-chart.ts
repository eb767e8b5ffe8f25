import type { Curve } from '../measurements.ts';

const [width, height] = [300, 200];
const frame = { left: 44, right: width - 12, top: 12, bottom: height - 40 };

const titles: Record<string, string> = {
  examples: 'More documents',
  nonzeros: 'Longer documents',
  features: 'More features',
  threads: 'More threads',
};

/** Draws how the time grows: a panel for each quantity, with the fitted line dashed. Both axes are logarithmic. */
export function growthChart(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points.map(({ seconds }) => seconds.min));
  const times = scale([0.1, ...all], frame.bottom, frame.top);
  return [
    '<figure class="growth-chart"><div class="panels">',
    ...curves.map((curve) => panel(curve, times)),
    '</div><figcaption>Seconds of the whole process, from text to model. Both axes are logarithmic. ',
    'Dots: the fastest of the runs. Dashed: the straight line that fits best.</figcaption></figure>',
  ].join('');
}

type Scale = (value: number) => number;

function panel({ key, unit, points, line }: Curve, times: Scale): string {
  const xs = points.map(({ x }) => x);
  const along = scale(xs, frame.left + 8, frame.right);
  const dots = points.map(({ x, seconds }) => `<circle cx="${along(x)}" cy="${times(seconds.min)}" r="3.5"/>`);
  const fitted = line === null ? [] : steps(xs).map((x) => `${along(x)} ${times(line.start + line.slope * x)}`);
  const ticks = [0.1, 0.3, 1, 3].map(
    (seconds) =>
      `<path d="M${frame.left} ${times(seconds)}H${frame.right}"/><text x="${frame.left - 6}" y="${times(seconds) + 4}" text-anchor="end">${seconds}</text>`,
  );
  const marks = [xs[0]!, xs[Math.floor((xs.length - 1) / 2)]!, xs.at(-1)!].map(
    (x, i) =>
      `<text x="${along(x)}" y="${height - 24}" text-anchor="${['start', 'middle', 'end'][i]}">${short(x)}</text>`,
  );
  const said = points.map(({ x, seconds }) => `${short(x)}: ${seconds.min.toFixed(2)} s`).join('; ');
  return [
    `<div><p><b>${titles[key] ?? key}</b></p>`,
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${titles[key] ?? key}: ${said}">`,
    `<g class="ticks">${ticks.join('')}${marks.join('')}`,
    `<text x="${(frame.left + frame.right) / 2}" y="${height - 6}" text-anchor="middle">${unit}</text></g>`,
    fitted.length === 0 ? '' : `<path class="fitted" d="M${fitted.join('L')}"/>`,
    `<g class="dots">${dots.join('')}</g></svg></div>`,
  ].join('');
}

/** A logarithmic scale from the least to the most of some values. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const [least, most] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => Number((from + ((Math.log(value) - least) / (most - least)) * (to - from)).toFixed(1));
}

function steps(xs: readonly number[]): number[] {
  const [least, most] = [xs[0]!, xs.at(-1)!];
  return Array.from({ length: 21 }, (_, i) => least * (most / least) ** (i / 20));
}

/** 12,500 as 12.5 k and 16,777,216 as 16.8 M. */
function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(1))} M`;
  return value >= 1e3 ? `${Number((value / 1e3).toFixed(1))} k` : String(Math.round(value));
}
