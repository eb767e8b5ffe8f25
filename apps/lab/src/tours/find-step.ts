import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { type Line, momentAt, type Recording, scoreOf } from '../engine/recording.ts';

/** What an update did to the drawn examples: whether its own is right now, and which others it mended and which it broke. */
export interface Effect {
  readonly right: boolean;
  readonly mended: readonly number[];
  readonly broken: readonly number[];
}

/**
 * The step that a scene names: a number; `start`; `end`; `update 3`; `pass 2` (its end); or the first update after which something is so:
 * `first corrected`, `first still wrong`, `first that breaks`, `first still wrong that breaks`. Null where the run has none.
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

export function effectOf(step: number, recording: Recording, examples: Examples): Effect {
  const { row, before, present } = momentAt(recording, step);
  const mended: number[] = [];
  const broken: number[] = [];
  if (before === null || present === null) return { right: false, mended, broken };
  for (const other of examples.shown) {
    const [was, is] = [before, present].map((line) => isRight(line, other, recording, examples));
    if (other !== row && was !== is) (is ? mended : broken).push(other);
  }
  return { right: isRight(present, row, recording, examples), mended, broken };
}

/** Whether weights give a drawn example its class; a score of 0 has the class that the variant gives it. */
export function isRight(line: Line, row: number, recording: Recording, examples: Examples): boolean {
  const score = scoreOf(line, vectorAt(examples, shownAt(examples, row)), recording);
  return (score > 0 || (score === 0 && recording.tie > 0) ? 1 : -1) === examples.labels[row];
}
