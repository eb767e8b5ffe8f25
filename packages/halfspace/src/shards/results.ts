import { HalfspaceError } from '../errors.ts';
import { type Check, listOf, nullable, number, only, readAs, shape, text, within } from '../json.ts';
import type { Job } from './job.ts';
import { seal, unseal } from './sealed.ts';
import { checkJob, digestOfJob, type MixState, type Task } from './state.ts';

/** Results of some shards. */
interface Results<T> {
  /** The shards, rising. */
  readonly shards: readonly number[];
  /** One for each shard, in their order; or one for some of them together. */
  readonly found: readonly T[];
}

/** The step that a result is of. */
interface Step {
  /** Digest of the job. */
  readonly job: string;
  /** Digest of the state; empty before the first step. */
  readonly state: string;
  readonly task: 'fit' | Task;
  /** Number of rounds of learning before the step. */
  readonly rounds: number;
}

/** A result and the name of its file, for messages. */
export interface ResultFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const kind = { format: 'halfspace-result', what: 'a result of a worker', code: 'source-corrupt' } as const;

const count = within(0);
const any: Check<unknown> = (value) => value;
/** By step: what a worker found. */
const foundShapes = {
  fit: shape({
    ...{ rows: count, heldOut: count, labels: listOf(listOf(any, 3)), labelTypes: listOf(text) },
    ...{ dimension: nullable(count), size: any, parts: any, columns: any },
  }),
  learn: shape({
    ...{ rows: count, nonzeros: count, updates: count, mistakes: nullable(count), stopping: count },
    ...{ train: nullable(text), sums: any },
  }),
  evaluate: shape({
    candidates: listOf(shape({ errors: count, margin: nullable(number), stopping: count, heldOut: count })),
    present: nullable(number),
  }),
  calibrate: shape({ scores: any, labels: any }),
};

const headShape = shape({
  step: shape({ job: text, state: text, task: only('fit', 'learn', 'evaluate', 'calibrate'), rounds: count }),
  shards: listOf(count),
  found: listOf(any),
});

/** Reads the members of a result. In a round, one member may be the sum of all shards. */
function resultOf(members: unknown) {
  const { step, shards, found } = headShape(members, 'result');
  const { task } = step as Step;
  if (found.length !== shards.length && (task !== 'learn' || found.length !== 1))
    throw new HalfspaceError('source-corrupt', `expected ${shards.length} members of "found"; got ${found.length}`);
  return { step: step as Step, shards, found: found.map((each, k) => foundShapes[task](each, `found[${k}]`)) };
}

/**
 * Returns the step that a state is at.
 *
 * @param state null before the first step.
 * @throws HalfspaceError `option-invalid` for the state of another job, or if the training is finished.
 */
export function stepAt(job: Job, state: MixState | null): Step {
  if (state !== null) checkJob(job, state);
  const task = state === null ? 'fit' : state.next;
  if (task === null)
    throw new HalfspaceError(
      'option-invalid',
      'expected the state of a training that goes on; got that of a finished one: write its model',
    );
  return { job: digestOfJob(job), state: state?.digest ?? '', task, rounds: state?.rounds ?? 0 };
}

/** Returns results as the bytes of a file. */
export function encodeResults<T>(step: Step, { shards, found }: Results<T>): Uint8Array {
  return new TextEncoder().encode(seal(kind, { step, shards, found }));
}

/**
 * Reads results of one step, in any order.
 *
 * @param shards number of shards of the job.
 * @param isComplete true: expects a result of every shard.
 * @throws HalfspaceError `source-corrupt` for other data; `option-invalid` for the result of another step or job;
 *   `row-malformed` if a shard is missing or there twice.
 */
export function decodeResults<T>(
  files: readonly ResultFile[],
  step: Step,
  shards: number,
  isComplete: boolean,
): Results<T> {
  const there = new Set<number>();
  const found = new Map<number, T>();
  for (const { name: source, bytes } of files) {
    const { members } = unseal(kind, new TextDecoder().decode(bytes), source);
    const result = readAs({ code: kind.code, source }, () => resultOf(members));
    checkStep(step, result.step, source);
    for (const shard of result.shards) {
      if (there.has(shard) || shard >= shards)
        throw new HalfspaceError(
          'row-malformed',
          `expected one result of each shard from 0 to ${shards - 1}; got another one of shard ${shard}`,
          { source },
        );
      there.add(shard);
    }
    result.found.forEach((each, k) => {
      found.set(result.shards[k]!, each as T);
    });
  }
  const missing = Array.from({ length: isComplete ? shards : 0 }, (_, k) => k).filter((k) => !there.has(k));
  if (missing.length > 0 || there.size === 0)
    throw new HalfspaceError(
      'row-malformed',
      `expected a result of each of ${shards} shards; got none of shard ${missing[0] ?? 0}`,
    );
  const rising = (a: number, b: number) => a - b;
  const places = [...found.keys()].sort(rising);
  return { shards: [...there].sort(rising), found: places.map((shard) => found.get(shard)!) };
}

/** @throws HalfspaceError `option-invalid` for the result of another step. */
function checkStep(step: Step, own: Step, source: string): void {
  const refused = (expected: string, got: string) =>
    new HalfspaceError('option-invalid', `expected a result of ${expected}; got one of ${got}`, { source });
  if (own.job !== step.job) throw refused('this job', 'another job: give the job that its worker had');
  const named = ({ task, rounds }: Step) => `the step ${task} after ${rounds} round${rounds === 1 ? '' : 's'}`;
  if (named(own) !== named(step)) throw refused(named(step), named(own));
  if (own.state !== step.state)
    throw refused('this state', 'another one at the same step: give the state that its worker had');
}
