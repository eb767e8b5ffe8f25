import { lineMark, pathMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Mark, Spot } from '../../picture/picture.ts';
import { boundText } from '../../picture/rounding.ts';
import { boundOf, spaceOf } from '../proof/bound.ts';
import { boundNumbers } from '../proof/text.ts';
import type { Scene } from '../view.ts';
import type { Ground } from './ground.ts';

/** Returns max‖x‖ of the drawn examples; null for more than two features, where x is not fully visible. */
function drawnRadius({ projection, drawn }: Ground): number | null {
  if (projection.kind !== 'line' && projection.kind !== 'flat') return null;
  let largest = 0;
  for (let k = 0; k < drawn.rows.length; k++)
    largest = Math.max(
      largest,
      Math.hypot(drawn.spots[2 * k]!, projection.kind === 'line' ? 0 : drawn.spots[2 * k + 1]!),
    );
  return largest;
}

/**
 * Draws the smallest circle about the origin that holds all examples; in one dimension its two ends. Its name tells
 * R of the look's space.
 */
export function radiusMarks(scene: Scene, ground: Ground, text: number): Mark[] {
  const radius = drawnRadius(ground);
  if (radius === null || !(radius > 0) || scene.examples.dimension !== ground.projection.origin.length) return [];
  const { axes, at, projection } = ground;
  const name = (spot: Spot): Mark =>
    textMark(
      [
        Math.min(Math.max(spot[0], axes.left + text * 3), axes.right - text * 3),
        Math.max(spot[1], axes.top) + text * 0.9,
      ],
      radiusText(scene, radius),
      text,
      { anchor: 'middle', weight: 'bold', fill: 'bound', stroke: 'paper', width: 3, id: 'radius name' },
    );
  const style = { stroke: 'bound', width: 1.5, dash: [3, 4] } as const;
  if (projection.kind === 'line')
    return [
      ...[radius, -radius]
        .map((u) => axes.x(u))
        .filter((x) => x >= axes.left && x <= axes.right)
        .map((x): Mark => lineMark([x, axes.top], [x, axes.bottom], { ...style, id: 'radius' })),
      name([axes.x(radius), axes.top]),
    ];
  const inside = ([x, y]: Spot) => x >= axes.left && x <= axes.right && y >= axes.top && y <= axes.bottom;
  const sides = 180;
  const around = Array.from({ length: sides + 1 }, (_, k): Spot => {
    const angle = (2 * Math.PI * k) / sides;
    return at(radius * Math.cos(angle), radius * Math.sin(angle));
  });
  // Keeps the pieces of the circle that are inside the box.
  const marks: Mark[] = [];
  let piece: Spot[] = [];
  for (const spot of around) {
    if (inside(spot)) piece.push(spot);
    else {
      if (piece.length > 1) marks.push(pathMark(piece, { ...style, id: 'radius' }));
      piece = [];
    }
  }
  if (piece.length > 1) marks.push(pathMark(piece, { ...style, id: 'radius' }));
  if (marks.length > 0) marks.push(name(at(0, radius)));
  return marks;
}

/**
 * Writes R with the drawn length from which it comes: the constant is not in the plane, and a run may divide x. A
 * sample or held-out examples can leave the longest one out; then only R is told.
 */
function radiusText(scene: Scene, drawn: number): string {
  const { divisor, biasConstant } = scene.recording;
  const bound = boundOf(scene, spaceOf(scene.look));
  const { radius, space } = bound;
  const length = boundText(drawn, 4, 'up');
  const divided = divisor === 1 ? length : `${length}/${numberText(divisor, 4)}`;
  const whole = space === 'coordinate' ? Math.hypot(drawn / divisor, biasConstant) : drawn / divisor;
  const value = boundNumbers(bound).radius;
  if (Math.abs(whole - radius) > 1e-9 * radius || (divisor === 1 && whole === drawn)) return `R = ${value}`;
  if (space === 'apart' || biasConstant === 0) return `R = ${divided} = ${value}`;
  const inside = divisor === 1 ? divided : `(${divided})`;
  return `R = √(${inside}² + ${biasConstant === 1 ? '1' : numberText(biasConstant, 4)}²) = ${value}`;
}
