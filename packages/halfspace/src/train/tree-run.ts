import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { createKernels } from '../kernels/load.ts';
import { evaluate, judgeStoreBy } from '../model/judge.ts';
import type { TreeModel } from '../model/model.ts';
import { EncodedColumns } from '../model/tree/encoded-columns.ts';
import { growing } from '../model/tree/grow.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import { runWithPauses } from '../model/tree/pausable.ts';
import { TreeScorer } from '../model/tree/scorer.ts';
import { createBreathe } from './breathe.ts';
import { ClassWeighing } from './class-weights.ts';
import { Intake } from './intake.ts';
import type { TrainOptions } from './options.ts';
import type { TrainPlan } from './plan.ts';
import { defaultVariant, type StopWhen } from './presets.ts';
import type { TrainingReport, TrainingResult } from './report.ts';
import { treeTable } from './tree-table.ts';

/** Options of {@link train} that say how a linear function is learned, and the values that a tree can be given too: those of the defaults. */
const ofLearners: { readonly [K in keyof TrainOptions]?: readonly unknown[] } = {
  bias: [defaultVariant.bias],
  start: [defaultVariant.start],
  order: ['auto', defaultVariant.order],
  tie: [defaultVariant.tie],
  scaling: [defaultVariant.scaling],
  returns: [defaultVariant.returns],
  passes: [defaultVariant.stop.passes],
  patience: [],
  multiclass: ['one-vs-rest'],
};

/** @throws HalfspaceError `option-invalid` for an option that asks for what a tree does not have. */
function checkTreeRun(options: TrainOptions): void {
  const refuse = (name: string, value: unknown) => {
    throw new HalfspaceError('option-invalid', `${name} is not for the rule tree; got ${quote(value)}`);
  };
  for (const [name, defaults] of Object.entries(ofLearners)) {
    const value = options[name as keyof TrainOptions];
    if (value !== undefined && !defaults.includes(value)) refuse(name, value);
  }
  for (const [name, value] of Object.entries(options.stop ?? {}))
    if (value !== undefined && value !== defaultVariant.stop[name as keyof StopWhen]) refuse('stop', options.stop);
}

/**
 * Reads a source and grows a tree from it, or from examples that are read already where an intake is given, which stays its owner's to free. All
 * examples are held in memory, 8 bytes for a number and 4 for a category.
 *
 * @throws HalfspaceError as `train` does; `option-invalid` for options that are no tree's and not the defaults, and for more columns than a tree looks at.
 */
export async function trainTree(
  source: ExampleSource,
  options: TrainOptions,
  { plan, intake: given }: { readonly plan: TrainPlan; readonly intake: Intake | undefined },
): Promise<TrainingResult> {
  checkTreeRun(options);
  const kernels = options.kernels ?? createKernels();
  const intake =
    given ??
    new Intake(kernels, source, {
      positive: options.positive,
      split: plan.holdout > 0 ? new HoldoutSplit(plan.holdout, plan.seed) : null,
      keepAll: true,
      store: { ...options.store, compact: true },
    });
  const breathe = createBreathe(options.signal, 'expected to finish training; stopped while growing a tree');
  try {
    if (given === undefined) for await (const _ of intake.batches()) await breathe();
    const classes = intake.classes();
    const { rows: examples, nonzeros, store } = intake;
    const weighing =
      plan.classWeights === null ? null : new ClassWeighing(plan.classWeights, classes, intake.classExamples);
    const columns = new EncodedColumns(source.encoding());
    const table = await runWithPauses(treeTable(batchesOf(store), examples, columns, { classes, weighing }), breathe);
    const tree = await runWithPauses(growing(table, plan.ruleOptions as TreeOptions), breathe);
    await breathe();
    const features = tree.columns.length;
    const model = { kind: 'tree', rule: 'tree', options: plan.ruleOptions, as: null, classes, tree } as const;
    const rest = { calibration: null, features: source.encoding() };
    const scorer = new TreeScorer({ ...model, ...rest });
    const train = judgeStoreBy(intake.store, scorer, -1).judgement;
    const holdout = intake.held.rows === 0 ? null : judgeStoreBy(intake.held, scorer, -1).judgement;
    const { seed } = plan;
    const common = { examples, features, nonzeros, passes: 1, updates: 0 };
    const complete: TreeModel = {
      ...model,
      ...rest,
      training: {
        ...common,
        order: 'cyclic',
        seed,
        stop: 'grown',
        separated: train.errors === 0,
        progressiveAccuracy: null,
        trainAccuracy: train.accuracy,
        holdoutAccuracy: holdout?.accuracy ?? null,
      },
    };
    const report: TrainingReport = {
      ...common,
      rule: 'tree',
      as: null,
      stop: 'grown',
      seed,
      classes,
      classExamples: intake.classExamples,
      updatesPerPass: [0],
      best: null,
      progressive: null,
      train: { ...train, separated: train.errors === 0, margin: null, radius: null },
      bracket: null,
      maximumMargin: null,
      holdout,
      validate:
        options.validate === undefined ? null : await evaluate(await options.validate(complete), complete, kernels),
    };
    return { model: complete, report };
  } finally {
    if (given === undefined) intake.free();
  }
}

function* batchesOf(store: ExampleStore): Generator<StoredBatch> {
  for (let c = 0; c < store.chunks; c++) yield store.load(c);
}
