import type { Examples } from '../engine/examples.ts';
import { momentAt, type Recording } from '../engine/recording.ts';
import { type ClassChanges, classChanges, isRight } from '../views/step-text.ts';

/** Effect of an update: its own example is right after it or not, and the other examples that it fixed or broke. */
interface Effect extends ClassChanges {
  readonly right: boolean;
}

/**
 * Finds the step that a scene names: a number; `start`; `end`; `update 3`; `pass 2` (its end); or the first update
 * with a property: `first corrected`, `first still wrong`, `first that breaks`, `first still wrong that breaks`.
 * Null: the run has no such step.
 * @throws Error for words that name no step.
 */
export function findStep(wanted: string | number, recording: Recording, examples: Examples): number | null {
  const { steps, updates, passes } = recording;
  if (typeof wanted === 'number') return wanted <= steps ? wanted : null;
  if (wanted === 'start') return 0;
  if (wanted === 'end') return steps;
  const counted = /^(update|pass) (\d+)$/.exec(wanted);
  if (counted !== null) {
    const number = Number(counted[2]);
    if (counted[1] === 'update') return updates[number - 1] ?? null;
    return number > passes.length ? null : (passes[number] ?? steps);
  }
  const holds = conditions[wanted];
  if (holds === undefined) throw new Error(`expected a step; got “${wanted}”`);
  if (recording.present.length === 0) return null;
  for (const step of updates) if (holds(effectOf(step, recording, examples))) return step;
  return null;
}

const conditions: Readonly<Record<string, (effect: Effect) => boolean>> = {
  'first corrected': ({ right }) => right,
  'first still wrong': ({ right }) => !right,
  'first that breaks': ({ broken }) => broken.length > 0,
  'first still wrong that breaks': ({ right, broken }) => !right && broken.length > 0,
};

/** Returns the effect of the update at a step. */
export function effectOf(step: number, recording: Recording, examples: Examples): Effect {
  const moment = momentAt(recording, step);
  const { row, present } = moment;
  const turned = classChanges({ examples, recording, moment });
  if (turned === null || present === null) return { right: false, fixed: [], broken: [] };
  const others = (rows: readonly number[]) => rows.filter((each) => each !== row);
  const right = isRight(present, row, recording, examples);
  return { right, fixed: others(turned.fixed), broken: others(turned.broken) };
}
