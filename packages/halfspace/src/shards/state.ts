import { HalfspaceError } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import { parseLabel } from '../features/parse-table-encoding.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { classNames } from '../features/table-label.ts';
import { listOf, nullable, number, only, readAs, shape, text, within } from '../json.ts';
import type { Calibration } from '../model/calibration.ts';
import { decodeCalibration } from '../model/decode-calibration.ts';
import type { LinearParameters } from '../rules/learner.ts';
import { decodeValue, encodeValue } from '../rules/learner-file.ts';
import type { TrainState } from '../train/train-state.ts';
import { decodeTrainState, encodeTrainState } from '../train/train-state-file.ts';
import type { Job } from './job.ts';
import { digestOfText, seal, unseal } from './sealed.ts';

type Plain = ReturnType<typeof encodeValue>;
type TableLabel = TableEncoding['label'];

/** A step of the workers. */
export type Task = 'learn' | 'evaluate' | 'calibrate';

/** A training after a step: everything that its next step needs. */
export interface MixState {
  /** Digest of the file. Results of workers name the state that they were made with by it. */
  readonly digest: string;
  /** Name of its file, for messages. */
  readonly source: string;
  /** Digest of its job. */
  readonly job: string;
  /** The next step of the workers; null: the model is complete. */
  readonly next: Task | null;
  /** Number of rounds of learning so far. */
  readonly rounds: number;
  readonly label: TableLabel;
  /** Number of rows without those held out for evaluation. */
  readonly rows: number;
  /** Number of them that are held out for early stopping. */
  readonly stopping: number;
  /**
   * For each shard and class, the negative one first: the number of `rows`, and of those that are held out for early
   * stopping; null without `patience`.
   */
  readonly apart: readonly (readonly (readonly [rows: number, held: number])[])[] | null;
  /** Number of rows held out for evaluation. */
  readonly heldOut: number;
  readonly nonzeros: number;
  /** Number of updates of each round, on all shards. */
  readonly updates: readonly number[];
  /** Errors of the first round, each row predicted before it was learned; null if the rule does not know them. */
  readonly progressive: number | null;
  /**
   * Reason of the end of learning: `clean`, a round without an update on any shard; `passes`, the largest number of
   * rounds; `tolerance`, a round that hardly changed the weights; or `patience`; null: no end yet.
   */
  readonly ended: 'clean' | 'passes' | 'tolerance' | 'patience' | null;
  /** Number of times that the mean got more of the present weights (settling), as in a run on one machine. */
  readonly settled: number;
  /** The best round so far that was evaluated for early stopping; null without `patience`, and before. */
  readonly best: BestRound | null;
  /** Errors of the model on `rows`; null before they were counted. */
  readonly errors: number | null;
  /** Errors of the model on the rows held out for evaluation; null before they were counted. */
  readonly heldOutErrors: number | null;
  /** The fitted calibration; null before, and if none was asked for. */
  readonly calibration: readonly [Calibration] | null;
  /** The mixed weights. */
  readonly train: TrainState;
}

/** The weights that a round ended with. */
export interface BestRound {
  /** From 1. */
  readonly round: number;
  /** Errors on the rows held out for early stopping. */
  readonly errors: number;
  readonly functions: readonly LinearParameters[];
}

/** A {@link MixState} that is not written yet. */
export type NextState = Omit<MixState, 'digest' | 'source'>;

const kind = { format: 'halfspace-mix', what: 'a state', code: 'model-invalid' } as const;

/** Returns the text of a state file: JSON, the same bytes for the same state. */
export function encodeMixState(state: NextState): string {
  const { best, train } = state;
  return seal(kind, {
    ...state,
    ...{ digest: undefined, source: undefined },
    best: encodeValue(best),
    train: encodeTrainState(train),
  });
}

/** Most doublings of the weight that a mean gives to the present weights. */
export const mostDoublings = 60;

const count = within(0);
const bestShape = shape({
  round: within(1),
  errors: count,
  functions: listOf(shape({ weights: doubles, bias: number })),
});
const stateShape = shape({
  job: text,
  next: only('learn', 'evaluate', 'calibrate', null),
  rounds: count,
  label: parseLabel,
  rows: within(1),
  stopping: count,
  apart: nullable(listOf(listOf(listOf(count, 2)))),
  heldOut: count,
  nonzeros: count,
  updates: listOf(count),
  progressive: nullable(count),
  ended: only('clean', 'passes', 'tolerance', 'patience', null),
  settled: within(0, mostDoublings),
  best: (value) => decodeValue(value as Plain),
  errors: nullable(count),
  heldOutErrors: nullable(count),
  calibration: (value: unknown) => value,
  train: text,
});

/**
 * Reads the result of {@link encodeMixState}.
 *
 * @throws HalfspaceError `model-invalid` for a file of another kind, or one that was cut, edited or damaged.
 */
export function decodeMixState(text: string, source: string): MixState {
  const { members, digest } = unseal(kind, text, source);
  return readAs({ source }, () => {
    const read = stateShape(members, 'state');
    const train = decodeTrainState(read.train);
    const outputs = train.classes.length > 2 ? train.classes.length : 1;
    const state = {
      ...read,
      ...{ digest, source },
      apart: read.apart as MixState['apart'],
      best: read.best === null ? null : bestShape(read.best, 'best'),
      calibration: decodeCalibration(read.calibration, train.classes.length),
      train,
    };
    checkMembers(state, outputs);
    return state;
  });
}

/** @throws HalfspaceError `model-invalid` for members that do not fit together, as a training never writes them. */
function checkMembers(
  { label, next, rounds, updates, ended, apart, best, train, ...rest }: NextState,
  outputs: number,
) {
  const dimension = dimensionOf(train.features);
  const holds = {
    label: JSON.stringify(classNames(label)) === JSON.stringify(train.classes),
    updates: updates.length === rounds,
    ended: (ended === null) === (next === 'learn') && (ended !== 'patience' || best !== null),
    apart: apart === null || apart.every((classes) => classes.length === train.classes.length),
    best: best === null || (apart !== null && best.functions.length === outputs),
    functions: best === null || best.functions.every(({ weights }) => weights.length <= dimension),
    heldOutErrors: (rest.errors === null) === (rest.heldOutErrors === null),
  };
  const unfit = Object.entries(holds).find(([, each]) => !each)?.[0];
  if (unfit !== undefined)
    throw new HalfspaceError('model-invalid', `expected members that fit together; got "${unfit}" that does not`);
}

/** Returns the digest by which states and results name their job. */
export function digestOfJob(job: Job): string {
  return digestOfText(JSON.stringify(job));
}

/** @throws HalfspaceError `option-invalid` for the state of another job. */
export function checkJob(job: Job, { job: own, source, next, apart, train: { features } }: MixState): void {
  const names = features.kind === 'table' ? features.columns.map(({ name }) => name) : [];
  if (
    own === digestOfJob(job) &&
    (features.kind === 'table') === (job.columns !== undefined) &&
    names.every((name) => Object.hasOwn(job.columns!, name)) &&
    (apart === null) === (job.patience === undefined) &&
    (apart === null || apart.length === job.shards) &&
    (next !== 'calibrate' || job.calibrate !== undefined)
  )
    return;
  throw new HalfspaceError(
    'option-invalid',
    'expected a state of this job; got one of another job: give the job that its training began with',
    { source },
  );
}

function doubles(value: unknown, path: string): Float64Array {
  if (value instanceof Float64Array) return value;
  throw new HalfspaceError('model-invalid', `expected "${path}" to be a list of doubles; got another value`);
}
