import { HalfspaceError, quote } from '../errors.ts';
import type { CalibrationKind } from '../evaluate/calibration-kinds.ts';
import { calibrationKinds } from '../evaluate/calibration-kinds.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import { checkColumnNames, parseFeatureOptions } from '../features/feature-options.ts';
import type { ColumnKind } from '../features/table-encoding.ts';
import { type Check, isObject, maybe, only, readAs, shape, text, within } from '../json.ts';
import { type AnyRuleOptions, completeRuleOptions } from '../rules/registry.ts';

/** Rules whose learners can be mixed: their state is numbers for each weight. */
const mixedRules = ['averaged', 'perceptron', 'margin', 'passive-aggressive', 'sgd', 'arow'] as const;
type MixedRule = (typeof mixedRules)[number];

/** The reasons why other rules are refused. */
const reasons: Readonly<Record<string, string>> = {
  voted: 'it keeps every weight vector of its run',
  kernel: 'it keeps the rows of its mistakes',
  pocket: 'it compares weights on all rows',
  tree: 'it grows from all rows at once',
};

/** Kind of a column and the options of `--features` for it. */
export type JobColumn = ColumnOptions & { readonly kind: ColumnKind | 'drop' };

/** The same for all workers and the mixer: a class to learn, columns to learn it from, a rule, a number of shards. */
export interface Job {
  readonly format: 'halfspace-job';
  readonly version: 1;
  /** Column with the class: text, a number or a boolean. */
  readonly label: string;
  /** The positive class; all others together are the negative one. Default: see docs/tables.md. */
  readonly positive?: string;
  /**
   * Column with the weight of each row, a number in [0, 2⁵³): how many times the row counts, 0 as if it were absent.
   * Default: every row counts once.
   */
  readonly weight?: string;
  /** Column that names the rows in messages and predictions. Default: rows are counted within their shard, from 1. */
  readonly id?: string;
  /** Column of feature vectors: a list of numbers, or a struct of `size`, `indices` and `values`. Or give `columns`. */
  readonly vector?: string;
  /** Columns of features, in their order, by name: `{ "kind": "number" }`, … as in a file of `--features`. */
  readonly columns?: Readonly<Record<string, JobColumn>>;
  /** Pairs of columns to cross, as in a file of `--features`. */
  readonly crosses?: readonly (readonly [first: string, second: string])[];
  /** Scaling of numbers and dates. Default `standard`. */
  readonly scale?: 'standard' | 'none';
  /** Name and options of the rule. */
  readonly rule: Readonly<Record<string, unknown>> & { readonly name: MixedRule };
  /** Number of shards, from 1. It changes the model. */
  readonly shards: number;
  /** Largest number of rounds, each of which shows every row once. */
  readonly passes: number;
  /**
   * The training ends after the second round or a later one that moved the weights of the model, scaled to length 1, by
   * at most this distance, in (0, 1). Default: no such end.
   */
  readonly tolerance?: number;
  /**
   * `uniform`: shards count alike; `updates`: by their number of updates in the round. Default `uniform`. Adaptive sgd
   * and arow weigh each weight by what its shards learned.
   */
  readonly mixing?: 'uniform' | 'updates';
  /** Share of the rows of every class, in (0, 1), to hold out: not learned from, but evaluated at the end. */
  readonly holdout?: number;
  /**
   * Early stopping: a tenth of the rows of every class is held out, and the training ends after `patience` rounds in a
   * row, from 1, that did not lower the number of errors on them. The model has the weights of the best round.
   */
  readonly patience?: number;
  /**
   * Fits a calibration to the scores of the rows of `holdout`, so that the model has probabilities: `platt` or
   * `isotonic`, see docs/guides/probabilities.md. Default: none.
   */
  readonly calibrate?: CalibrationKind;
  /** Default 1. It decides which rows are held out. */
  readonly seed?: number;
}

const object: Check<Readonly<Record<string, object>>> = (value, path) => {
  if (isObject(value)) return value as Readonly<Record<string, object>>;
  throw new HalfspaceError('option-invalid', `expected ${path} to be an object; got another value`);
};

const pairs: Check<Job['crosses']> = (value, path) => {
  if (Array.isArray(value)) return value; // its members are checked with the columns
  throw new HalfspaceError('option-invalid', `expected ${path} to be a list of pairs; got another value`);
};

const share: Check<number> = (value, path) => {
  if (typeof value === 'number' && value > 0 && value < 1) return value;
  throw new HalfspaceError('option-invalid', `expected "${path}" to be a number in (0, 1); got ${quote(value)}`);
};

const jobShape = shape({
  format: only('halfspace-job'),
  version: only(1),
  label: text,
  positive: maybe(text),
  weight: maybe(text),
  id: maybe(text),
  vector: maybe(text),
  columns: maybe(object),
  crosses: maybe(pairs),
  scale: maybe(only('standard', 'none')),
  rule: object,
  shards: within(1, 1_000_000),
  passes: within(1, 1_000_000),
  tolerance: maybe(share),
  mixing: maybe(only('uniform', 'updates')),
  holdout: maybe(share),
  patience: maybe(within(1, 1_000_000)),
  calibrate: maybe(only(...calibrationKinds)),
  seed: maybe(within(0)),
});

/**
 * Reads a job from JSON text.
 *
 * @throws HalfspaceError `option-invalid` for unknown or missing members, a rule that cannot be mixed, or its options.
 */
export function parseJob(json: string): Job {
  return readAs({ code: 'option-invalid', source: 'job' }, () => {
    const job = jobShape(parsedJson(json, 'a job'), 'job') as unknown as Job;
    if ((job.vector === undefined) === (job.columns === undefined))
      throw new HalfspaceError('option-invalid', 'expected either "vector" or "columns"; got both or none');
    const { name, ...options } = job.rule;
    if (!mixedRules.includes(name)) {
      const reason = Object.hasOwn(reasons, name) ? `: ${reasons[name]}` : '';
      throw new HalfspaceError(
        'option-invalid',
        `expected a rule that can be mixed (${mixedRules.join(', ')}); got ${quote(name)}${reason}`,
      );
    }
    const { loss } = completeRuleOptions(name, options as never) as { loss?: unknown };
    const refuse = (message: string) => new HalfspaceError('option-invalid', message);
    if (loss === 'multinomial')
      throw refuse('expected a loss that is learned class by class, such as logistic; got multinomial');
    if (job.mixing === 'updates' && (name === 'sgd' || name === 'arow'))
      throw refuse(`expected mixing by updates of a rule that learns from mistakes only; got ${name}`);
    if (job.calibrate !== undefined && job.holdout === undefined)
      throw refuse('expected "holdout" with "calibrate", which is fitted to the scores of held-out rows; got none');
    checkColumns(job);
    return job;
  });
}

const requestShape = shape({
  task: only('work', 'mix', 'model', 'check'),
  job: (value: unknown) => value,
  shard: maybe(within(0)),
});

/**
 * Reads the head of a request of an engine from JSON text: its task, its job, and for `work` the number of the shard.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function parseRequest(json: string): {
  readonly task: 'work' | 'mix' | 'model' | 'check';
  readonly job: Job;
  readonly shard: number;
} {
  const {
    task,
    job,
    shard = 0,
  } = readAs({ code: 'option-invalid', source: 'request' }, () =>
    requestShape(parsedJson(json, 'a request'), 'request'),
  );
  return { task, job: parseJob(JSON.stringify(job)), shard };
}

/** Returns the value of JSON text. @param what its name in errors. */
function parsedJson(json: string, what: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new HalfspaceError('option-invalid', `expected ${what} as JSON; got other text`);
  }
}

function checkColumns({ columns, crosses = [] }: Job): void {
  if (columns === undefined) {
    if (crosses.length > 0) throw new HalfspaceError('option-invalid', 'expected "crosses" of "columns"; got a vector');
    return;
  }
  const features = parseFeatureOptions({ columns, crosses });
  checkColumnNames(features, Object.keys(columns));
  for (const [field, { kind, decimal, trend }] of Object.entries(columns) as [string, Partial<JobColumn>][]) {
    const refuse = (message: string) => new HalfspaceError('option-invalid', message, { field });
    if (kind === undefined) throw refuse('expected the "kind" of every column; got none');
    if (decimal !== undefined) throw refuse('expected numbers, or texts of plain ones; got "decimal"');
    if (trend !== undefined) throw refuse('expected no "trend", which only the rule logistic keeps; got one');
  }
}

/** Returns the options of a job's rule, complete with its defaults. */
export function ruleOptionsOf({ rule }: Job): AnyRuleOptions & Readonly<Record<string, number | string | boolean>> {
  const { name, ...options } = rule;
  return completeRuleOptions(name, options as never) as never;
}
