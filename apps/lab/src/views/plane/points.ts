import { classOf } from '../../engine/recording.ts';
import { classRole, exampleMark, symbolMark } from '../../picture/marks.ts';
import type { Mark, Role, Spot, SymbolMark } from '../../picture/picture.ts';
import { cacheOf } from '../cache.ts';
import type { Ground } from './ground.ts';

/** Facts about the drawn examples at a moment, besides their places. */
export interface PointNotes {
  /** Null: scores are not known. */
  readonly scores: Float64Array | null;
  /** Scores before the update that is shown; null: no update is shown. */
  readonly before: Float64Array | null;
  readonly tie: -1 | 1;
  /** Numbers in the data; −1 or null: none. */
  readonly shown: number;
  readonly updated: boolean;
  readonly selected: number | null;
}

/** Returns the diameter of a point: smaller where there are many. */
export function pointSize(text: number, count: number): number {
  return text * (count <= 100 ? 0.95 : count <= 500 ? 0.75 : 0.6);
}

/**
 * Returns the spot of an example, by its position among the drawn. In one dimension the classes are drawn a little
 * above and below the axis, so that none hides the other.
 */
export function spotOf({ drawn, at, projection }: Ground, k: number, size: number): Spot {
  const place = at(drawn.spots[2 * k]!, drawn.spots[2 * k + 1]!);
  return projection.kind === 'line' ? [place[0], place[1] - drawn.labels[k]! * size * 0.6] : place;
}

/**
 * Returns the drawn example nearest to a place, within some pixels, by its position among the drawn; −1: none. Of
 * equally near ones it is the topmost.
 */
export function nearestAt(ground: Ground, text: number, [x, y]: Spot, within: number): number {
  const size = pointSize(text, ground.drawn.rows.length);
  let [nearest, least] = [-1, within];
  for (let k = 0; k < ground.drawn.rows.length; k++) {
    const [px, py] = spotOf(ground, k, size);
    const distance = Math.hypot(px - x, py - y);
    if (distance <= least) [nearest, least] = [k, distance];
  }
  return nearest;
}

/**
 * Draws the examples: positive ones as discs, negative ones as squares; filled on the right side of the line, hollow
 * on the wrong side. An update adds a ring around examples that it fixed, and a cross on examples that it broke.
 */
export function pointMarks(ground: Ground, text: number, notes: PointNotes): Mark[] {
  const { rows, labels } = ground.drawn;
  const size = pointSize(text, rows.length);
  const { scores, before, tie, shown, updated, selected } = notes;
  const { filled, hollow } = symbolsOf(ground, text);
  const marks: Mark[] = [];
  const over: Mark[] = [];
  for (let k = 0; k < rows.length; k++) {
    const symbol = filled[k];
    if (symbol == null) continue;
    const [label, row] = [labels[k]!, rows[k]!];
    const wrong = scores !== null && classOf(scores[k]!, tie) !== label;
    marks.push(wrong ? hollow[k]! : symbol);
    const { at } = symbol;
    if (before !== null && scores !== null) {
      const was = classOf(before[k]!, tie) !== label;
      if (was && !wrong) over.push(ring(at, size * 1.3, 'star', `fixed ${row}`));
      if (!was && wrong)
        over.push(symbolMark('cross', at, size * 1.5, { stroke: 'broken', width: 2.5, id: `broken ${row}` }));
    }
    if (row === shown) over.push(ring(at, size * 1.9, updated ? 'update' : 'ink', 'shown'));
    if (row === selected) over.push(ring(at, size * 2.3, 'selection', 'selected'));
  }
  return [...marks, ...over];
}

function ring(at: Spot, size: number, stroke: Role, id: string): SymbolMark {
  return symbolMark('ring', at, size + 4, { stroke, width: 2.25, id });
}

interface Symbols {
  /** Null if an example is out of sight. */
  readonly filled: readonly (SymbolMark | null)[];
  readonly hollow: readonly (SymbolMark | null)[];
}

/** Symbols stay the same while only time passes: 2,000 of them need not be made for every frame. */
const cached = cacheOf<Ground, Symbols>();

const symbolsOf = (ground: Ground, text: number): Symbols => cached(ground, () => makeSymbols(ground, text));

function makeSymbols(ground: Ground, text: number): Symbols {
  const { rows, labels } = ground.drawn;
  const { left, right, top, bottom } = ground.axes;
  const size = pointSize(text, rows.length);
  const made = (wrong: boolean) =>
    Array.from(rows, (row, k): SymbolMark | null => {
      const at = spotOf(ground, k, size);
      if (at[0] < left - 1 || at[0] > right + 1 || at[1] < top - 1 || at[1] > bottom + 1) return null;
      const pen = wrong
        ? ({ fill: 'paper', stroke: classRole(labels[k]!), width: 2.5 } as const)
        : ({ stroke: 'paper', width: 1.25 } as const);
      return exampleMark(labels[k]!, at, wrong ? size - 1 : size, { ...pen, id: `example ${row}` });
    });
  return { filled: made(false), hollow: made(true) };
}
