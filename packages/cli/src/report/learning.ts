import { statSync } from 'node:fs';
import type { Model, OnlineClassifier } from 'halfspace';
import type { StreamInput } from '../data/stream-rows.ts';
import { strongestLines } from './features.ts';
import { bytes, counted, ifKnown, listed, percent, section, withoutNulls } from './format.ts';
import { ruleOf } from './training.ts';

/** A run of `learn`. */
export interface LearningSummary {
  readonly learning: {
    /** Path of the state. */
    readonly path: string;
    /** Null without DATA. */
    readonly input: StreamInput | null;
    /** Rows of all runs, learned or skipped as bad. */
    readonly rows: number;
    /** Rows that this run learned from. */
    readonly learned: number;
    readonly classifier: OnlineClassifier | null;
  };
  /** Null before two classes are known. */
  readonly model: Model | null;
  readonly modelPath: string | null;
  readonly notes: readonly string[];
  readonly seconds: number;
}

const strongestShown = 8;

/** Returns the object that `learn --json` prints. */
export function learningJson({ learning, model, modelPath, notes, seconds }: LearningSummary): object {
  const { path, input, rows, learned, classifier } = learning;
  return {
    state: path,
    rows,
    learned,
    examples: classifier?.examples ?? 0,
    classes: classifier?.classes ?? [],
    ...withoutNulls({
      rule: model?.rule ?? null,
      options: model?.options ?? null,
      updates: model?.training.updates ?? null,
      features: model?.training.features ?? null,
      progressiveAccuracy: model?.training.progressiveAccuracy ?? null,
      model: modelPath,
    }),
    rejected: input?.rejects.count ?? 0,
    seconds: { total: seconds },
    notes,
  };
}

/** Returns the text that `learn` prints. */
export function learningText({ learning, model, modelPath, seconds }: LearningSummary): string {
  const { path, input, rows, learned, classifier } = learning;
  const bad = input?.rejects.count ?? 0;
  const of = classifier === null ? '' : `, ${counted(classifier.classes.length, 'class', 'classes')}`;
  return [
    section(
      'Read',
      ifKnown(input, ({ name }) => [`${name}: ${counted(learned, 'row')}`]),
    ),
    section(
      'Learned',
      ifKnown(model, (known) => [
        `${ruleOf(known)}, ${counted(known.training.updates, 'update')}, ${counted(known.training.features, 'feature')}${of}: ${listed(known.kind === 'linear' ? [...known.classes] : (classifier?.classes ?? []), 10)}`,
      ]),
    ),
    section(
      'Right',
      ifKnown(model?.training.progressiveAccuracy, (share) => [
        `${percent(share).padStart(8)}  of all rows so far, each before the update on it`,
      ]),
    ),
    section(
      'Strongest',
      model === null || model.kind === 'dual' || model.kind === 'tree'
        ? []
        : strongestLines(model, strongestShown, modelPath ?? undefined),
    ),
    section(
      'State',
      classifier === null
        ? []
        : [
            `${path} (${bytes(statSync(path).size)}), ${counted(rows, 'row')} so far; to go on: halfspace learn ${path} DATA`,
          ],
    ),
    section(
      'Model',
      ifKnown(modelPath, (written) => [
        `${written} (${bytes(statSync(written).size)}), ${seconds.toFixed(2)} s in total`,
      ]),
    ),
    section('Skipped', bad === 0 ? [] : [`${counted(bad, 'bad row')}: see ${input!.rejects.path}`]),
  ].join('');
}
