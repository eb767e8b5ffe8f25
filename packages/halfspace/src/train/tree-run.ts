import type { Breathe } from '../data/breathe.ts';
import type { ExampleStore } from '../data/store.ts';
import { judgeBatches } from '../model/judge-batches.ts';
import { growFrom } from '../model/tree/grow-from-batches.ts';
import type { TreeModel } from '../model/tree/model.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import { TreeScorer } from '../model/tree/scorer.ts';
import { recordedOf, reportOf, validated } from './finish.ts';
import type { RunOptions } from './options.ts';
import type { TrainingReport, TrainingResult } from './report.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Grows a tree from the examples of a run, once they are read. In memory, a number takes 8 bytes and a category 4.
 *
 * @throws HalfspaceError as `train` does; `option-invalid` for more columns than a tree allows.
 */
export async function trainTree(examples: RunExamples, options: RunOptions, breathe: Breathe): Promise<TrainingResult> {
  const { plan, intake, kernels, source, classes } = examples;
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
