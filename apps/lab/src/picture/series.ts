import type { Axes } from './axes.ts';
import { pathMark, symbolMark } from './marks.ts';
import type { Mark, Role, Spot } from './picture.ts';

/** Numbers over numbers. Its path is cached by `ys`, so an array that stays the same is read once. */
export interface Series {
  readonly xs: ArrayLike<number>;
  readonly ys: ArrayLike<number>;
}

/** Length of a series from which only every k-th number is read: pictures have fewer columns of pixels. */
const mostLooked = 1 << 13;

/** The spots of a series that are drawn, and the index of each in the series. */
interface Traced {
  readonly xs: ArrayLike<number>;
  readonly key: string;
  readonly spots: readonly Spot[];
  readonly indices: readonly number[];
}

const traced = new WeakMap<ArrayLike<number>, Traced>();

/** Returns the path of a series in pixels: of every column of pixels the first, lowest, highest and last spot. */
function trace(series: Series, axes: Axes): Traced {
  const { xs, ys } = series;
  const { x, y, left, right, top, bottom } = axes;
  const key = [left, right, top, bottom, ...x.domain(), ...y.domain()].join();
  const known = traced.get(ys);
  if (known?.key === key && known.xs === xs) return known;
  const spots: Spot[] = [];
  const indices: number[] = [];
  let [column, first, low, high, last] = [Number.NaN, -1, -1, -1, -1];
  const close = () => {
    if (first < 0) return;
    for (const i of new Set([first, Math.min(low, high), Math.max(low, high), last])) {
      indices.push(i);
      spots.push([x(xs[i]!), y(ys[i]!)]);
    }
  };
  const stride = Math.max(1, Math.ceil(xs.length / mostLooked));
  for (let i = 0; i < xs.length; i = i + stride < xs.length || i === xs.length - 1 ? i + stride : xs.length - 1) {
    if (!Number.isFinite(xs[i]!) || !Number.isFinite(ys[i]!)) continue;
    const at = Math.floor(x(xs[i]!));
    if (at !== column) {
      close();
      [column, first, low, high, last] = [at, i, i, i, i];
      continue;
    }
    if (ys[i]! < ys[low]!) low = i;
    if (ys[i]! > ys[high]!) high = i;
    last = i;
  }
  close();
  const made = { xs, key, spots, indices };
  traced.set(ys, made);
  return made;
}

/**
 * Returns the path of a series' first `count` numbers in pixels, without spots in the same place; the last number
 * is exact.
 */
export function spotsOf(series: Series, axes: Axes, count = series.xs.length): readonly Spot[] {
  const { spots, indices } = trace(series, axes);
  if (count >= series.xs.length) return spots;
  let [low, high] = [0, indices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (indices[middle]! < count) low = middle + 1;
    else high = middle;
  }
  const kept = spots.slice(0, low);
  const [x, y] = [series.xs[count - 1]!, series.ys[count - 1]!];
  if (count > 0 && indices[low - 1] !== count - 1 && Number.isFinite(x) && Number.isFinite(y))
    kept.push([axes.x(x), axes.y(y)]);
  return kept;
}

export interface RunCurve extends Series {
  readonly role: Role;
  /** Id of the bold mark; the faint one has ` of the run` after it. */
  readonly id: string;
}

/** Draws a series over a whole run: faint, but bold up to the present, with a dot there. */
export function runCurve(curve: RunCurve, axes: Axes, count: number, text: number): Mark[] {
  const { role, id } = curve;
  const bold = spotsOf(curve, axes, count);
  const end = bold.at(-1);
  const marks: Mark[] = [
    pathMark(spotsOf(curve, axes), { stroke: role, width: 1.5, opacity: 0.3, id: `${id} of the run` }),
    pathMark(bold, { stroke: role, width: 2.85, id }),
  ];
  if (end !== undefined)
    marks.push(symbolMark('disc', end, text * 0.6, { fill: role, stroke: 'paper', id: `${id} now` }));
  return marks;
}
