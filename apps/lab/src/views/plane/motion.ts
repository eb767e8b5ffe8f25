import { countUpTo, type Line, lineBetween, type Recording, snapshot } from '../../engine/recording.ts';
import { eased } from '../../picture/ease.ts';
import type { Motion } from '../view.ts';

/** Returns the motion from one line to the next at a share of its time: y·x is added first, then the line turns. */
export function motionOf(from: Line, to: Line, share: number): Motion {
  // At w = 0 there is no line yet that could turn.
  const turned = from.weights.every((w) => w === 0) ? 1 : eased((share - 0.3) / 0.7);
  return { line: turned === 1 ? to : lineBetween(from, to, turned), added: eased(share / 0.5), trail: null };
}

/** Maximum number of earlier lines that are drawn. */
const most = 16;

/**
 * Returns lines of the latest steps, the oldest first: a fast run is seen as a blur. The same lines are chosen in
 * neighbouring frames, so that none flickers.
 * @param back number of steps to look back.
 */
export function trailOf(recording: Recording, step: number, back: number): Line[] {
  if (recording.present.length === 0) return [];
  const [first, last] = [countUpTo(recording.changes, step - back), countUpTo(recording.changes, step)];
  const stride = 2 ** Math.ceil(Math.log2(Math.max(1, (last - first) / most)));
  const lines: Line[] = [];
  for (let k = Math.ceil(first / stride) * stride; k < last; k += stride)
    lines.push(snapshot(recording, recording.present, k));
  return lines;
}
