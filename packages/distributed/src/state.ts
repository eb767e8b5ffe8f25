import { decodeTrainState, encodeTrainState, HalfspaceError, type TrainState } from 'halfspace';
import {
  decodeCalibration,
  decodeValue,
  encodeValue,
  finite,
  listOf,
  nullable,
  only,
  type Plain,
  parseLabel,
  readAs,
  shape,
  type TableLabel,
  text,
  within,
} from 'halfspace/internal';
import type { Calibration } from 'halfspace/metrics';
import type { LinearParameters } from 'halfspace/rules';
import { seal, unseal } from './sealed.ts';

/** A step of the workers. */
export type Task = 'learn' | 'evaluate' | 'calibrate';

/** A training after a step: everything that its next step needs. */
export interface MixState {
  /** Digest of the file. Results of workers name the state that they were made with by it. */
  readonly digest: string;
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
   * rounds; or `patience`; null: no end yet.
   */
  readonly ended: 'clean' | 'passes' | 'patience' | null;
  /** Number of times that the mean got more of the present weights (settling), as in a run on one machine. */
  readonly settled: number;
  /** The best round so far that was evaluated for early stopping; null without `patience`, and before. */
  readonly best: BestRound | null;
  /** Errors of the model on `rows`; null before they were counted. */
  readonly errors: number | null;
  /** Errors of the model on the rows held out for evaluation; null before they were counted. */
  readonly heldOutErrors: number | null;
  /** The fitted calibration; null before, and if none was asked for. */
  readonly calibration: readonly Calibration[] | null;
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
export type NextState = Omit<MixState, 'digest'>;

const kind = { format: 'halfspace-mix', what: 'a state', code: 'model-invalid' } as const;

/** Returns the text of a state file: JSON, the same bytes for the same state. */
export function encodeMixState(state: NextState): string {
  const { best, train } = state;
  return seal(kind, { ...state, digest: undefined, best: encodeValue(best), train: encodeTrainState(train) });
}

const count = within(0);
const bestShape = shape({
  round: within(1),
  errors: count,
  functions: listOf(shape({ weights: doubles, bias: finite })),
});
const stateShape = shape({
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
  ended: only('clean', 'passes', 'patience', null),
  settled: count,
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
    const state = stateShape(members, 'state');
    const train = decodeTrainState(state.train);
    const outputs = train.classes.length > 2 ? train.classes.length : 1;
    return {
      ...state,
      digest,
      apart: state.apart as MixState['apart'],
      best: state.best === null ? null : bestShape(state.best, 'best'),
      calibration: decodeCalibration(state.calibration, outputs),
      train,
    };
  });
}

function doubles(value: unknown, path: string): Float64Array {
  if (value instanceof Float64Array) return value;
  throw new HalfspaceError('model-invalid', `expected "${path}" to be a list of doubles; got another value`);
}
