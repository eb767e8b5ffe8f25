import { decodeTrainState, encodeTrainState, HalfspaceError, type TrainState } from 'halfspace';
import { decodeValue, encodeValue, type TableLabel } from 'halfspace/internal';
import type { Calibration } from 'halfspace/metrics';
import type { LinearParameters } from 'halfspace/rules';

/** A step of the workers. */
export type Task = 'learn' | 'evaluate' | 'calibrate';

/** A training after a step: everything that its next step needs. */
export interface MixState {
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

const format = 'halfspace-mix';

/** Returns the text of a state file: JSON, the same bytes for the same state. */
export function encodeMixState(state: MixState): string {
  const best = encodeValue(state.best);
  return `${JSON.stringify({ format, version: 1, ...state, best, train: encodeTrainState(state.train) })}\n`;
}

/**
 * Reads the result of {@link encodeMixState}.
 *
 * @throws HalfspaceError `model-invalid` for a file of another kind, or one that is cut short.
 */
export function decodeMixState(text: string, source: string): MixState {
  let value: { format?: unknown; version?: unknown; best?: unknown; train?: unknown } & Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    throw refused('expected a state (JSON); got other text, or one that is cut short', source);
  }
  if (value?.format !== format || value.version !== 1)
    throw refused(`expected a state ("format": "${format}", version 1); got another file`, source);
  const { format: _, version: __, best, train, ...rest } = value;
  return {
    ...(rest as unknown as Omit<MixState, 'best' | 'train'>),
    best: decodeValue(best) as BestRound | null,
    train: decodeTrainState(String(train), source),
  };
}

function refused(message: string, source: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message, { source });
}
