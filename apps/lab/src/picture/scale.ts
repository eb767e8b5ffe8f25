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

/** How ticks read: with as many decimals as their step has, with a true minus sign; whole thousands apart. */
export function readTick(domain: readonly [number, number], count: number): (value: number) => string {
  const step = Math.abs(tickStep(domain[0], domain[1], count));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return (value) =>
    value
      .toLocaleString('en', {
        minimumFractionDigits: Math.min(decimals, 20),
        maximumFractionDigits: Math.min(decimals, 20),
      })
      .replace('-', '−');
}
