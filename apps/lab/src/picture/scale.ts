import { tickStep, ticks } from 'd3-array';

/**
 * Numbers along pixels, as d3-scale has them, with what pictures need of it: d3-scale brings interpolation of colours and dates along, a tenth of
 * what the page loads at the start.
 */
export interface Scale {
  /** The pixel of a number. */
  (value: number): number;
  /** The number at a pixel. */
  invert(pixel: number): number;
  domain(): [from: number, to: number];
  /** About so many round numbers. */
  ticks(count: number): number[];
}

/** Equal differences, equally long. */
export function linearScale(domain: readonly [number, number], pixels: readonly [number, number]): Scale {
  return scaled(
    domain,
    pixels,
    (value) => value,
    (value) => value,
  );
}

/** Equal ratios, equally long; for numbers above 0. */
export function logScale(domain: readonly [number, number], pixels: readonly [number, number]): Scale {
  return scaled(domain, pixels, Math.log, Math.exp);
}

function scaled(
  [from, to]: readonly [number, number],
  [first, last]: readonly [number, number],
  forth: (value: number) => number,
  back: (value: number) => number,
): Scale {
  const [a, b] = [forth(from), forth(to)];
  // A range without length has all its numbers in the middle.
  const share = (value: number) => (a === b ? 0.5 : (forth(value) - a) / (b - a));
  const between = (start: number, end: number, t: number) => start * (1 - t) + end * t;
  const scale = (value: number) => between(first, last, share(value));
  return Object.assign(scale, {
    invert: (pixel: number) => back(between(a, b, first === last ? 0.5 : (pixel - first) / (last - first))),
    domain: (): [number, number] => [from, to],
    ticks: (count: number) => ticks(from, to, count),
  });
}

/**
 * How ticks read: with as many decimals as their step has, with a true minus sign; thousands apart from 10,000 on, since years are none, and
 * from 100,000 on short, as 250k.
 */
export function readTick(domain: readonly [number, number], count: number): (value: number) => string {
  const large = Math.max(Math.abs(domain[0]), Math.abs(domain[1]));
  const [unit, name] = large >= 1e6 && large < 1e9 ? [1e6, 'M'] : large >= 1e5 && large < 1e9 ? [1e3, 'k'] : [1, ''];
  const step = Math.abs(tickStep(domain[0], domain[1], count)) / unit;
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: large >= 1e4 };
  return (value) => `${(value / unit).toLocaleString('en', options).replace('-', '−')}${value === 0 ? '' : name}`;
}
