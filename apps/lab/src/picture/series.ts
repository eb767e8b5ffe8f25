import type { Axes } from './axes.ts';
import type { Mark, Role, Spot } from './picture.ts';

/** Numbers over numbers that rise. */
export interface Series {
  readonly xs: ArrayLike<number>;
  readonly ys: ArrayLike<number>;
}

/** More than so many numbers of a series are looked at only here and there: pictures have fewer columns. */
const mostLooked = 1 << 14;

/** Where a series runs, in pixels, from index `from` up to `to`: of every column of pixels its first, lowest, highest and last spot. */
export function spotsOf({ xs, ys }: Series, { x, y }: Axes, from = 0, to = xs.length): Spot[] {
  const spots: Spot[] = [];
  let [column, first, low, high, last] = [Number.NaN, -1, -1, -1, -1];
  const close = () => {
    if (first < 0) return;
    const kept = [...new Set([first, Math.min(low, high), Math.max(low, high), last])];
    for (const i of kept) spots.push([x(xs[i]!), y(ys[i]!)]);
  };
  const stride = Math.max(1, Math.floor(xs.length / mostLooked));
  for (let i = from; i < to; i = i + stride < to || i === to - 1 ? i + stride : to - 1) {
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
  return spots;
}

export interface RunCurve extends Series {
  readonly role: Role;
  /** Of its bold mark; the faint one has ` of the run` behind it. */
  readonly id: string;
}

/** A series over a whole run: faint, and bold up to where it is now, with a dot there. */
export function runCurve(curve: RunCurve, axes: Axes, count: number, text: number): Mark[] {
  const { role, id } = curve;
  const bold = spotsOf(curve, axes, 0, count);
  const end = bold.at(-1);
  const marks: Mark[] = [
    {
      kind: 'path',
      spots: spotsOf(curve, axes),
      stroke: role,
      width: text * 0.1,
      opacity: 0.3,
      id: `${id} of the run`,
    },
    { kind: 'path', spots: bold, stroke: role, width: text * 0.19, id },
  ];
  if (end !== undefined)
    marks.push({
      kind: 'symbol',
      shape: 'disc',
      at: end,
      size: text * 0.6,
      fill: role,
      stroke: 'paper',
      id: `${id} now`,
    });
  return marks;
}
