import { tickStep } from 'd3-array';

/**
 * A scale from numbers to pixels, with the part of d3-scale that pictures need. d3-scale also brings interpolation of
 * colours and dates, which is a tenth of what the page loads at the start.
 */
export interface Scale {
  /** The pixel of a number. */
  (value: number): number;
  /** The number at a pixel. */
  invert(pixel: number): number;
  domain(): [from: number, to: number];
}

/** Returns a scale on which equal differences have equal lengths. */
export function linearScale(domain: readonly [number, number], pixels: readonly [number, number]): Scale {
  return scaled(
    domain,
    pixels,
    (value) => value,
    (value) => value,
  );
}

/** Returns a scale on which equal ratios have equal lengths, for numbers above 0. */
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
  // A range of length 0 maps all numbers to the middle.
  const share = (value: number) => (a === b ? 0.5 : (forth(value) - a) / (b - a));
  const between = (start: number, end: number, t: number) => start * (1 - t) + end * t;
  const scale = (value: number) => between(first, last, share(value));
  return Object.assign(scale, {
    invert: (pixel: number) => back(between(a, b, first === last ? 0.5 : (pixel - first) / (last - first))),
    domain: (): [number, number] => [from, to],
  });
}

/**
 * Returns the text of ticks: with the decimals of their step and a true minus sign. Numbers from 10,000 on have commas
 * (years have none), from 100,000 on they are short (`250k`); very large and very small ones have an exponent.
 */
export function readTick(domain: readonly [number, number], count: number): (value: number) => string {
  const large = Math.max(Math.abs(domain[0]), Math.abs(domain[1]));
  if (large >= 1e10 || (large > 0 && large < 1e-4))
    return (value) => (value === 0 ? '0' : value.toExponential(1).replace('e+', 'e').replaceAll('-', '−'));
  const [unit, name] = large >= 1e9 ? [1e9, 'G'] : large >= 1e6 ? [1e6, 'M'] : large >= 1e5 ? [1e3, 'k'] : [1, ''];
  const step = Math.abs(tickStep(domain[0], domain[1], count)) / unit;
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: large >= 1e4 };
  return (value) => `${(value / unit).toLocaleString('en', options).replace('-', '−')}${value === 0 ? '' : name}`;
}
