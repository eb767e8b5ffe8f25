import { HalfspaceError, type TrainState } from 'halfspace';
import {
  addParts,
  cellText,
  chooseClasses,
  classNames,
  type FeatureEncoding,
  type FitColumn,
  type FitPart,
  listedLeftOut,
  partsOf,
  Random,
  type TableEncoding,
  TableFitter,
} from 'halfspace/internal';
import { createKernels, createLearner, createMulticlassLearner, defaultVariant } from 'halfspace/rules';
import { vectorsOf } from './arrow-vectors.ts';
import { type Job, type JobColumn, ruleOptionsOf } from './job.ts';
import type { Shard } from './shard.ts';
import type { MixState } from './state.ts';

/** The labels of a shard and the statistics of its columns. */
export interface Fitted {
  /** Number of rows without those held out for evaluation. */
  readonly rows: number;
  /** Number of them that are held out for early stopping. */
  readonly stopping: number;
  /** Number of rows held out for evaluation. */
  readonly heldOut: number;
  /** Texts of the labels with their numbers of rows. */
  readonly labels: readonly (readonly [label: string, rows: number])[];
  /** Length of the longest vector; null for columns. */
  readonly dimension: number | null;
  /** Counts by column; null for vectors, and for a job of one shard, whose columns are fitted whole. */
  readonly parts: readonly FitPart[] | null;
  /** The fitted columns of a job of one shard; else null. */
  readonly columns: Pick<TableEncoding, 'columns' | 'crosses' | 'leftOut'> | null;
}

/** Values of a column with `bins` that the mixer has in memory, and those that a shard sends at least. */
const mostValues = 2 ** 22;
const fewestValues = 1024;

/** Scans a shard once. */
export async function fitShard(job: Job, shard: Shard): Promise<Fitted> {
  const names = columnsOfJob(job).map(([name]) => name);
  const fitter = fitterOf(job);
  const labels = new Map<string, number>();
  let rows = 0;
  let stopping = 0;
  let heldOut = 0;
  let dimension = 0;
  for await (const batch of shard.records()) {
    const label = shard.labels(batch);
    for (let i = 0; i < batch.numRows; i++) {
      const word = cellText(label.words[label.codes[i]!]!)!;
      labels.set(word, (labels.get(word) ?? 0) + 1);
    }
    const parts = shard.partsOf(batch, label);
    const fitted = parts === null ? { rows: batch.numRows } : { rows: parts.training.length, numbers: parts.training };
    shard.placed(batch, () => {
      if (fitter !== null) fitter.observe({ ...fitted, columns: shard.cells(batch, names) });
      else dimension = Math.max(dimension, vectorsOf(shard.column(batch, job.vector!), job.vector!).dimension);
    });
    rows += fitted.rows;
    stopping += parts?.stopping.length ?? 0;
    heldOut += parts?.heldOut.length ?? 0;
  }
  const alone = job.shards === 1;
  return {
    ...{ rows, stopping, heldOut },
    labels: [...labels],
    dimension: fitter === null ? dimension : null,
    parts:
      fitter === null || alone ? null : partsOf(fitter, Math.max(fewestValues, Math.ceil(mostValues / job.shards))),
    columns: fitter === null || !alone ? null : columnsOf(fitter, job),
  };
}

/** Adds up what all shards found, in their order, and returns the state before the first round. */
export async function mixFits(job: Job, fits: readonly Fitted[]): Promise<MixState> {
  const labels = new Map<string, number>();
  for (const fit of fits) for (const [label, rows] of fit.labels) labels.set(label, (labels.get(label) ?? 0) + rows);
  const total = (of: (fit: Fitted) => number) => fits.reduce((sum, fit) => sum + of(fit), 0);
  const rows = total((fit) => fit.rows);
  const stopping = total((fit) => fit.stopping);
  const heldOut = total((fit) => fit.heldOut);
  if (rows === 0) throw new HalfspaceError('source-empty', 'expected rows; got none in any shard');
  checkHeldOut(job, { rows, stopping, heldOut });
  const label = chooseClasses(job.label, labels, job.positive);
  const features = job.vector === undefined ? tableEncoding(job, fits, label) : vectorEncoding(fits);
  return {
    next: 'learn',
    ...{ rounds: 0, label, rows, stopping, heldOut, nonzeros: 0, updates: [] },
    ...{ progressive: null, ended: null, settled: 0, best: null, errors: null, heldOutErrors: null, calibration: null },
    train: await beginning(job, features, classNames(label)),
  };
}

function checkHeldOut(
  { holdout, patience, shards }: Job,
  { rows, stopping, heldOut }: Pick<MixState, 'rows' | 'stopping' | 'heldOut'>,
): void {
  const refuse = (message: string) => new HalfspaceError('option-invalid', message);
  if (holdout !== undefined && heldOut === 0)
    throw refuse(`holdout must hold out at least one row; got ${holdout}, which holds out none of ${rows}`);
  if (patience !== undefined && stopping === 0)
    throw refuse(
      `patience must hold out at least one row; got ${rows} rows in ${shards} shards, of which it holds out none`,
    );
}

function vectorEncoding(fits: readonly Fitted[]): FeatureEncoding {
  return { kind: 'indexed', dimension: Math.max(...fits.map(({ dimension }) => dimension!)), firstIndex: 0 };
}

function tableEncoding(job: Job, fits: readonly Fitted[], label: TableEncoding['label']): TableEncoding {
  const { scale = 'standard' } = job;
  const alone = fits.length === 1 ? fits[0]!.columns : null;
  const fitter = fitterOf(job)!;
  if (alone === null) for (const { parts, rows } of fits) if (rows > 0) addParts(fitter, parts!);
  const { columns, crosses, leftOut } = alone ?? columnsOf(fitter, job);
  const crossed = crosses === undefined ? {} : { crosses };
  return { kind: 'table', format: 'parquet', header: null, scale, label, columns, ...crossed, leftOut };
}

function columnsOf(fitter: TableFitter, job: Job): NonNullable<Fitted['columns']> {
  const { scale = 'standard', label: column } = job;
  const label = { column, type: 'text', classes: [], positive: null, negative: null } as const;
  const dropped = Object.entries(job.columns!).filter(([, { kind }]) => kind === 'drop');
  const before = dropped.map(([name]) => ({ name, reason: 'dropped' }) as const);
  const rest = { format: 'parquet', header: null, scale, label, leftOut: before } as const;
  const { columns, crosses, leftOut } = fitter.encoding(rest);
  if (columns.length === 0)
    throw new HalfspaceError('source-empty', `expected a column to learn from; got ${listedLeftOut(leftOut)}`);
  return crosses === undefined ? { columns, leftOut } : { columns, crosses, leftOut };
}

function fitterOf(job: Job): TableFitter | null {
  if (job.columns === undefined) return null;
  const columns = columnsOfJob(job).map(([name, options]) => {
    const { kind, format } = options;
    // Dates of texts in the form of ISO 8601 are written plainly.
    return { name, kind, options, ...(format === undefined || format === 'iso' ? {} : { form: format }) };
  });
  return new TableFitter(columns as readonly FitColumn[], job.crosses === undefined ? {} : { crosses: job.crosses });
}

/** Returns the columns that are learned from. */
function columnsOfJob({ columns = {} }: Job): (readonly [string, JobColumn])[] {
  return Object.entries(columns).filter(([, { kind }]) => kind !== 'drop');
}

/** Returns the state of a run before its first row. */
async function beginning(job: Job, features: FeatureEncoding, classes: readonly string[]): Promise<TrainState> {
  const { name: rule } = job.rule;
  const { seed = 1 } = job;
  const options = ruleOptionsOf(job);
  const { bias, tie, scaling } = defaultVariant;
  const kernels = await createKernels();
  const many = classes.length > 2;
  const given = { ...options, tie, biasConstant: 1 };
  const learner = many
    ? createMulticlassLearner(kernels, rule, 'one-vs-rest', { ...given, classes: classes.length } as never)
    : createLearner(kernels, rule, given as never);
  return {
    ...{
      rule,
      options: options as TrainState['options'],
      multiclass: many ? 'one-vs-rest' : null,
      bias,
      biasConstant: 1,
      tie,
      scaling,
    },
    ...{ divisor: 1, classes, features, seed, random: new Random(seed).state(), passes: 0, learner: learner.state() },
  };
}
