import { createBreathe } from '../data/breathe.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { judgeBatches } from '../model/judge-batches.ts';
import { growFrom } from '../model/tree/grow-from-batches.ts';
import type { TreeModel } from '../model/tree/model.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import { TreeScorer } from '../model/tree/scorer.ts';
import { recordedOf, reportOf, validated } from './finish.ts';
import type { RunOptions } from './options.ts';
import { defaultVariant, type StopWhen } from './presets.ts';
import type { TrainingReport, TrainingResult } from './report.ts';
import type { RunExamples } from './run-examples.ts';

const { rule: _, updateWhen: __, stop, ...variant } = defaultVariant;
/** Options of {@link trainOnce} that do not apply to a tree, with their only allowed value, the default. */
const ofLearners: Readonly<Record<string, unknown>> = {
  ...variant,
  passes: stop.passes,
  patience: null,
  multiclass: 'one-vs-rest',
};

/** @throws HalfspaceError `option-invalid` for options that do not apply to a tree. */
export function checkTreeRun(options: RunOptions): void {
  const refuse = (name: string, value: unknown) => {
    throw new HalfspaceError('option-invalid', `${name} is not for the rule tree; got ${quote(value)}`);
  };
  for (const [name, value] of Object.entries(options)) {
    const isDefault = value === ofLearners[name] || (name === 'order' && value === 'auto');
    if (value !== undefined && name in ofLearners && !isDefault) refuse(name, value);
  }
  for (const [name, value] of Object.entries(options.stop ?? {}))
    if (value !== undefined && value !== stop[name as keyof StopWhen]) refuse('stop', options.stop);
}

/**
 * Reads the examples of a run and grows a tree from them. In memory, a number takes 8 bytes and a category 4.
 *
 * @throws HalfspaceError as `train` does; `option-invalid` for more columns than a tree allows.
 */
export async function trainTree(examples: RunExamples, options: RunOptions): Promise<TrainingResult> {
  const { plan, intake, kernels, source } = examples;
  const breathe = createBreathe(options.signal, () => 'expected to finish training; stopped while growing a tree');
  if (!examples.wereRead) for await (const _ of intake.batches()) await breathe();
  examples.endReading();
  const { classes } = examples;
  const features = source.encoding();
  const tree = await growFrom(
    { batches: () => intake.store.batches(), rows: intake.rows },
    { features, classes, weigh: (batch) => examples.weigh(batch), options: plan.ruleOptions as TreeOptions, breathe },
  );
  const scorer = new TreeScorer({ tree, features, classes });
  const judge = (store: ExampleStore) => judgeBatches(store.batches(), scorer, -1).judgement;
  const train = judge(intake.store);
  const report: TrainingReport = {
    ...reportOf(examples, {
      updates: 0,
      updatesPerPass: [0],
      stop: 'grown',
      best: null,
      progressive: null,
      train: { ...train, separated: train.errors === 0, margin: null, radius: null },
      holdout: intake.held.rows === 0 ? null : judge(intake.held),
      bracket: null,
      mistakeBounds: null,
    }),
    features: tree.columns.length,
  };
  const model: TreeModel = { kind: 'tree', ...recordedOf(examples, report), rule: 'tree', as: null, classes, tree };
  return { model, report: { ...report, validation: await validated(kernels, model, options.validation) } };
}
