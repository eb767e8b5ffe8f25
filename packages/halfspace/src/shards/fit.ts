import { LabelTypes } from '../data/label.ts';
import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { addParts, partsOf } from '../features/fit-parts.ts';
import { TableFitter } from '../features/fit-table.ts';
import { cellText } from '../features/table-cell.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { chooseClasses, classNames, labelNumber } from '../features/table-label.ts';
import { createKernels } from '../kernels/load.ts';
import { Random } from '../random.ts';
import { createLearner, createMulticlassLearner } from '../rules/registry.ts';
import { listedLeftOut } from '../table/listed.ts';
import { defaultVariant } from '../train/presets.ts';
import { stoppingCounts } from '../train/stopping-rows.ts';
import type { TrainState } from '../train/train-state.ts';
import { type Job, type JobColumn, ruleOptionsOf } from './job.ts';
import type { Shard } from './shard.ts';
import { digestOfJob, type MixState, type NextState } from './state.ts';

type FitColumn = ConstructorParameters<typeof TableFitter>[0][number];
type FitPart = ReturnType<typeof partsOf>[number];
type TableLabel = TableEncoding['label'];

/** The labels of a shard and the statistics of its columns. */
export interface Fitted {
  /** Number of rows without those held out for evaluation. */
  readonly rows: number;
  /** Number of rows held out for evaluation. */
  readonly heldOut: number;
  /** Texts of the labels with their numbers of rows, and of rows that are not held out for evaluation. */
  readonly labels: readonly (readonly [label: string, rows: number, training: number])[];
  /** The types of the labels, by `typeof`. */
  readonly labelTypes: readonly string[];
  /** Length of the longest vector; null for columns. */
  readonly dimension: number | null;
  /** The size that all vectors declare, and the place of a row; null: none does. */
  readonly size: { readonly numbers: number; readonly where: HalfspaceError['where'] } | null;
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
  const labels = new Map<string, [rows: number, training: number]>();
  const types = new LabelTypes();
  let rows = 0;
  let heldOut = 0;
  let dimension = 0;
  let size: Fitted['size'] = null;
  for await (const batch of shard.records()) {
    const label = shard.labels(batch);
    types.add(shard.column(batch, job.label).type);
    const parts = shard.partsOf(batch, label);
    for (let i = 0, k = 0; i < batch.rows; i++) {
      const word = cellText(label.words[label.codes[i]!]!)!;
      const isTraining = parts === null || parts.training[k] === i;
      if (isTraining) k++;
      const [all, training] = labels.get(word) ?? [0, 0];
      labels.set(word, [all + 1, training + Number(isTraining)]);
    }
    const fitted = parts === null ? { rows: batch.rows } : { rows: parts.training.length, numbers: parts.training };
    shard.placed(batch, () => {
      if (fitter !== null) fitter.observe({ ...fitted, columns: shard.cells(batch, names) });
      else {
        const vectors = shard.vectors(batch, size?.numbers ?? null);
        dimension = Math.max(dimension, vectors.dimension);
        if (vectors.size !== null) size ??= { numbers: vectors.size, where: shard.where(batch, 0, job.vector) };
      }
    });
    rows += fitted.rows;
    heldOut += parts?.heldOut.length ?? 0;
  }
  const alone = job.shards === 1;
  return {
    ...{ rows, heldOut },
    labels: Array.from(labels, ([word, [all, training]]) => [word, all, training] as const),
    labelTypes: types.seen,
    dimension: fitter === null ? dimension : null,
    size,
    parts:
      fitter === null || alone ? null : partsOf(fitter, Math.max(fewestValues, Math.ceil(mostValues / job.shards))),
    columns: fitter === null || !alone ? null : columnsOf(fitter, job),
  };
}

/** Adds up what all shards found, in their order, and returns the state before the first round. */
export async function mixFits(job: Job, fits: readonly Fitted[]): Promise<NextState> {
  const labels = new Map<string, number>();
  for (const fit of fits) for (const [label, rows] of fit.labels) labels.set(label, (labels.get(label) ?? 0) + rows);
  const total = (of: (fit: Fitted) => number) => fits.reduce((sum, fit) => sum + of(fit), 0);
  const rows = total((fit) => fit.rows);
  const heldOut = total((fit) => fit.heldOut);
  if (rows === 0) throw new HalfspaceError('source-empty', 'expected rows; got none in any shard');
  const { holdout } = job;
  if (holdout !== undefined && heldOut === 0)
    throw new HalfspaceError(
      'option-invalid',
      `holdout must hold out at least one row; got ${holdout}, which holds out none of ${rows}`,
    );
  const label = chooseClasses(job.label, labels, job.positive);
  const apart = job.patience === undefined ? null : apartOf(fits, label);
  const stopping = apart === null ? 0 : apart.flat().reduce((sum, [, held]) => sum + held, 0);
  const features = job.vector === undefined ? tableEncoding(job, fits, label) : vectorEncoding(fits);
  return {
    job: digestOfJob(job),
    next: 'learn',
    ...{ rounds: 0, label, rows, stopping, apart, heldOut, nonzeros: 0, updates: [] },
    ...{ progressive: null, ended: null, settled: 0, best: null, errors: null, heldOutErrors: null, calibration: null },
    train: {
      ...(await beginning(job, features, classNames(label))),
      labelType: new LabelTypes(fits.flatMap(({ labelTypes }) => labelTypes)).of(label.classes),
    },
  };
}

/**
 * Divides the rows that early stopping holds out of each class among the shards, in proportion to their rows.
 *
 * @throws HalfspaceError `option-invalid` if there are none.
 */
function apartOf(fits: readonly Fitted[], label: TableLabel): NonNullable<MixState['apart']> {
  const classes = classNames(label);
  const perShard = fits.map(({ labels }) => {
    const rows = classes.map(() => 0);
    for (const [word, , training] of labels) {
      const number = labelNumber(label, word);
      rows[label.positive === null ? number : (number + 1) / 2]! += training;
    }
    return rows;
  });
  const all = classes.map((_, k) => perShard.reduce((sum, rows) => sum + rows[k]!, 0));
  const held = stoppingCounts(classes, all);
  const before = classes.map(() => 0);
  return perShard.map((rows) =>
    rows.map((count, k) => {
      const upTo = (end: number) => (end === 0 ? 0 : Math.floor(held[k]! * (end / all[k]!)));
      const from = upTo(before[k]!);
      before[k]! += count;
      return [count, upTo(before[k]!) - from] as const;
    }),
  );
}

/** @throws HalfspaceError `row-malformed` with a row whose vector has another size than those of the first shard. */
function vectorEncoding(fits: readonly Fitted[]): FeatureEncoding {
  const sizes = fits.flatMap(({ size }) => size ?? []);
  const other = sizes.find(({ numbers }) => numbers !== sizes[0]!.numbers);
  if (other !== undefined)
    throw new HalfspaceError(
      'row-malformed',
      `expected a vector of ${sizes[0]!.numbers} numbers; got one of ${other.numbers}`,
      other.where,
    );
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
  const weighted = job.weight === undefined ? [] : [{ name: job.weight, reason: 'weight' } as const];
  const before = [...weighted, ...dropped.map(([name]) => ({ name, reason: 'dropped' }) as const)];
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
