import type { Label, Point, PointSet } from '../data/dataset.ts';
import {
  addPoints,
  inLoop,
  mostPoints,
  movePoints,
  relabelPoints,
  removePoints,
  spray,
  toDecimals,
} from '../data/edit.ts';
import { Chance } from '../data/generate.ts';
import { type Ground, spotOf } from '../views/plane/plane.ts';
import type { Lab } from './lab.svelte.ts';

export type Tool = 'add' | 'paint' | 'erase' | 'select';

/** Radius of the brush and the eraser, in pixels. */
export const brushRadius = 28;

/** Edits points by hand: the tool, the selection, and gestures. One undo takes back one gesture. */
export class Editing {
  tool: Tool = $state('add');
  /** The class of the next point. */
  label: Label = $state(1);
  /** The points that a loop selected. Empty if a single example is selected, which is `lab.selected`. */
  group: ReadonlySet<number> = $state.raw(new Set());
  /** The crosshair, where keys add points. */
  cursor: { readonly x: number; readonly y: number } | null = $state.raw(null);
  /** The last action in words, for screen readers. */
  said = $state('');

  readonly #lab: Lab;
  /** The points before the present gesture. */
  #before: PointSet | null = null;
  /** The points before the present move. */
  #moved: PointSet | null = null;
  #brush = 0;

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  /** Null while a table is open. */
  get set(): PointSet | null {
    const { dataset } = this.#lab;
    return dataset.kind === 'points' ? dataset : null;
  }

  get chosen(): ReadonlySet<number> {
    const { selected } = this.#lab;
    return selected === null ? this.group : new Set([selected]);
  }

  choose(row: number | null): void {
    this.group = new Set();
    this.#lab.selected = row;
  }

  /** Selects all points inside a loop of pixels. */
  chooseIn(loop: readonly (readonly [number, number])[], ground: Ground, size: number): void {
    const rows: number[] = [];
    ground.drawn.rows.forEach((row, k) => {
      if (inLoop(loop, ...spotOf(ground, k, size))) rows.push(row);
    });
    this.chooseAll(rows);
  }

  chooseAll(rows: Iterable<number>): void {
    this.#lab.selected = null;
    this.group = new Set(rows);
    this.said = `${this.group.size} points chosen.`;
  }

  /**
   * Begins a gesture. Its changes show at once, and one undo takes back all of them. The visible part of the plane
   * stays.
   */
  begin(ground: Ground): void {
    this.#before = this.set;
    this.#moved = this.set;
    freeze(this.#lab, ground);
  }

  /** Makes the present points the start of the moves that follow. */
  rebase(): void {
    this.#moved = this.set;
  }

  end(): void {
    if (this.#before !== null) this.#lab.settle(this.#before);
    this.#before = null;
  }

  /** Takes back the changes of the present gesture. */
  cancel(): void {
    if (this.#before !== null && this.#before !== this.#lab.dataset) this.#lab.preview(this.#before);
    this.#before = null;
    this.choose(null);
  }

  add(place: { readonly x: number; readonly y: number }, label: Label): void {
    const { set } = this;
    if (set === null) return;
    if (set.points.length >= mostPoints) {
      this.said = `There are ${mostPoints} points, the most that can be drawn. Erase some first.`;
      return;
    }
    this.#lab.preview(addPoints(set, [{ ...place, label }]));
    this.choose(set.points.length);
    const at = set.dimension === 1 ? `${place.x}` : `${place.x}, ${place.y}`;
    this.said = label > 0 ? `Positive point added at ${at}.` : `Negative point added at ${at}.`;
  }

  paint(place: { readonly x: number; readonly y: number }, label: Label, ground: Ground, count: number): void {
    const { set } = this;
    if (set === null) return;
    const chance = new Chance(set.points.length * 7919 + this.#brush++);
    const radius = Math.abs(ground.axes.x.invert(brushRadius) - ground.axes.x.invert(0));
    const points: Point[] = spray({ ...place, label }, { radius, count, decimals: decimalsOf(ground), chance });
    this.choose(null);
    this.#lab.preview(addPoints(set, points));
    if (set.points.length + count > mostPoints)
      this.said = `There are ${mostPoints} points, the most that can be drawn. Erase some first.`;
  }

  erase(rows: ReadonlySet<number>): void {
    const { set } = this;
    if (set === null || rows.size === 0) return;
    this.choose(null);
    this.#lab.preview(removePoints(set, rows));
    this.said = rows.size === 1 ? 'Point removed.' : `${rows.size} points removed.`;
  }

  /** Moves the selected points from where they were when the gesture began. */
  move(dx: number, dy: number, decimals: number): void {
    const { chosen } = this;
    if (this.#moved === null || chosen.size === 0) return;
    this.#lab.preview(
      movePoints(this.#moved, chosen, ({ x, y }) => ({
        x: toDecimals(x + dx, decimals),
        y: toDecimals(y + dy, decimals),
      })),
    );
  }

  relabel(label: Label): void {
    const { set, chosen } = this;
    if (set === null || chosen.size === 0) return;
    this.#lab.change({ dataset: relabelPoints(set, chosen, label) }, { keepStep: true });
    this.said = `Now ${nameOf(label)}.`;
  }

  /** Selects the previous or the next example, in the order in which they are drawn, and describes it. */
  walk(by: 1 | -1, { drawn }: Ground): void {
    const { rows } = drawn;
    if (rows.length === 0) return;
    const { selected } = this.#lab;
    const at = selected === null ? -1 : rows.indexOf(selected);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length;
    this.choose(rows[next]!);
    const place = [drawn.spots[2 * next]!, drawn.spots[2 * next + 1]!].map((value) => value.toPrecision(3)).join(', ');
    this.said = `Example ${rows[next]! + 1}: ${nameOf(drawn.labels[next]!)}, at ${place}.`;
  }
}

const nameOf = (label: number): string => (label > 0 ? 'positive' : 'negative');

/** Returns the number of decimals that a pixel can show. */
export function decimalsOf({ axes }: Ground): number {
  const pixel = Math.abs(axes.x.invert(1) - axes.x.invert(0));
  return Math.max(-12, Math.min(12, Math.ceil(-Math.log10(pixel))));
}

/** Keeps the visible part of the plane, however the points change. */
export function freeze(lab: Lab, ground: Ground): void {
  if (lab.look.window === null) lab.look = { ...lab.look, window: windowOf(ground) };
}

export function windowOf({ axes }: Ground): NonNullable<Lab['look']['window']> {
  const [x, y] = [axes.x.domain(), axes.y.domain()];
  return { from: [x[0]!, y[0]!], to: [x[1]!, y[1]!] };
}

/** Makes the visible part of the plane `factor` times as wide; `place` stays where it is. */
export function zoom(lab: Lab, ground: Ground, factor: number, place: readonly [number, number]): void {
  const { from, to } = windowOf(ground);
  const about = (value: number, k: 0 | 1) => place[k] + (value - place[k]) * factor;
  const next = {
    from: [about(from[0], 0), about(from[1], 1)] as const,
    to: [about(to[0], 0), about(to[1], 1)] as const,
  };
  const width = next.to[0] - next.from[0];
  if (width > 1e-9 && width < 1e12) lab.look = { ...lab.look, window: next };
}

/** Moves the visible part of the plane by a distance in units of the axes. */
export function pan(lab: Lab, window: NonNullable<Lab['look']['window']>, dx: number, dy: number): void {
  const { from, to } = window;
  lab.look = { ...lab.look, window: { from: [from[0] + dx, from[1] + dy], to: [to[0] + dx, to[1] + dy] } };
}
