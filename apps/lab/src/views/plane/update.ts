import type { Line } from '../../engine/recording.ts';
import { arrowMark, textMark } from '../../picture/marks.ts';
import type { Mark, Role, Spot } from '../../picture/picture.ts';
import type { Ground } from './ground.ts';
import { type Slice, sliceOf } from './projection.ts';

interface Vectors {
  readonly before: Line;
  /** The weights after the update, and those on their way there. */
  readonly after: Line;
  readonly present: Line;
  /** Share of the change that is drawn. */
  readonly added: number;
  readonly divisor: number;
  readonly biasConstant: number;
  /** Name of the change: y·x, or Δw for other steps. */
  readonly change: string;
}

/**
 * Draws w, the change at its tip, and w′, as arrows from the origin. Where they fit, y·x has the length of x.
 * Otherwise all three are scaled by one number, which is written in the corner.
 */
export function updateVectors(ground: Ground, text: number, vectors: Vectors): Mark[] {
  const { axes, projection } = ground;
  const old = sliceOf(projection, vectors.before, vectors);
  const now = sliceOf(projection, vectors.after, vectors);
  // The length of a unit in pixels; upwards is negative.
  const [unitX, unitY] = [axes.x(1) - axes.x(0), axes.y(1) - axes.y(0)];
  const pixels = ([a, b]: Slice): Spot => [a * unitX, projection.kind === 'line' ? 0 : b * unitY];
  const [w, next, moving] = [pixels(old), pixels(now), pixels(sliceOf(projection, vectors.present, vectors))];
  const longest = Math.max(length(w), length(next), Math.hypot(next[0] - w[0], next[1] - w[1]));
  if (!(longest > 0)) return [];
  const room = Math.min(axes.right - axes.left, axes.bottom - axes.top);
  // Weights are of x divided by the divisor; times its square, y·x has the length of x again.
  const natural = vectors.divisor ** 2;
  const scale =
    longest * natural > 0.6 * room
      ? (0.4 * room) / longest
      : longest * natural < 0.2 * room
        ? (0.3 * room) / longest
        : natural;
  const origin = startOf(ground);
  const from: Spot = projection.kind === 'line' ? [origin[0], origin[1] + text * 2.2] : origin;
  const tip = ([x, y]: Spot): Spot => [from[0] + scale * x, from[1] + scale * y];
  const marks: Mark[] = [];
  const low: Spot = [0, projection.kind === 'line' ? text * 1.1 : 0];
  // Names stand outside the triangle of the three arrows, or below them in one dimension.
  const inner: Spot =
    projection.kind === 'line'
      ? [from[0], -1e6]
      : [(from[0] + tip(w)[0] + tip(next)[0]) / 3, (from[1] + tip(w)[1] + tip(next)[1]) / 3];
  const arrow = (start: Spot, end: Spot, stroke: Role, name: string, id: string): void => {
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) < 2) return;
    marks.push(arrowMark(start, end, { stroke, width: 2.75, id }));
    marks.push(label(start, end, name, { fill: stroke, size: text, id, inner }));
  };
  arrow(from, tip(w), 'muted', 'w', 'w before');
  // From w = 0 the change and w′ are the same arrow.
  const first = length(w) === 0 && projection.kind !== 'line';
  const { added } = vectors;
  const grown: Spot = [w[0] + added * (next[0] - w[0]), w[1] + added * (next[1] - w[1])];
  if (!first) arrow(shift(tip(w), low), shift(tip(grown), low), 'update', vectors.change, 'update');
  const arrived = first ? grown : moving;
  if (first || length([moving[0] - w[0], moving[1] - w[1]]) > 0)
    arrow(shift(from, low, 2), shift(tip(arrived), low, 2), 'line', first ? `w′ = ${vectors.change}` : 'w′', 'w after');
  if (Math.abs(scale / natural - 1) > 0.01)
    marks.push(
      textMark(
        [axes.right - text * 0.4, axes.top + text * 0.8],
        `arrows × ${(scale / natural).toPrecision(2)}`,
        text * 0.85,
        { anchor: 'end', fill: 'muted', stroke: 'paper', width: 3, id: 'scale of arrows' },
      ),
    );
  return marks;
}

const length = ([x, y]: Spot): number => Math.hypot(x, y);
const shift = ([x, y]: Spot, [dx, dy]: Spot, times = 1): Spot => [x + times * dx, y + times * dy];

/** Returns the pixels of the origin, or the middle where the origin is out of sight. */
function startOf({ at, axes }: Ground): Spot {
  const [x, y] = at(0, 0);
  const { left, right, top, bottom } = axes;
  return x > left && x < right && y > top && y < bottom ? [x, y] : [(left + right) / 2, (top + bottom) / 2];
}

/** Writes a name beside the middle of an arrow. */
function label(
  [x1, y1]: Spot,
  [x2, y2]: Spot,
  text: string,
  { fill, size, id, inner }: { readonly fill: Role; readonly size: number; readonly id: string; readonly inner: Spot },
): Mark {
  const long = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / long, (y2 - y1) / long];
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
  // On the side away from the inside of the triangle.
  const side = (inner[0] - middleX) * -uy + (inner[1] - middleY) * ux > 0 ? -1 : 1;
  const away = side * size * (0.7 + 0.25 * text.length * Math.abs(uy));
  return textMark([middleX - uy * away, middleY + ux * away], text, size * 1.1, {
    anchor: 'middle',
    weight: 'bold',
    italic: true,
    fill,
    stroke: 'paper',
    width: 4,
    id: `${id} name`,
  });
}
