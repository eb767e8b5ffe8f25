import { statSync } from 'node:fs';
import type { Model, OnlineClassifier, RuleWithOptions } from 'halfspace';
import type { StreamInput } from '../data/stream-rows.ts';
import type { StreamSettings } from '../data/stream-state.ts';
import { usualRule } from '../data/stream-state.ts';
import { candidateName } from './candidates.ts';
import { strongestLines } from './features.ts';
import { bytes, count, counted, ifKnown, listed, number, percent, section, withoutNulls } from './format.ts';
import { ruleOf } from './training.ts';

/** A run of `learn`. */
interface LearningSummary {
  readonly learning: {
    /** Path of the state. */
    readonly path: string;
    /** Null without DATA. */
    readonly input: StreamInput | null;
    /** Rows of all runs, learned or skipped as bad. */
    readonly rows: number;
    /** Rows that this run learned from. */
    readonly learned: number;
    /** Of these: rows that were answered before, and rows that were answered correctly. */
    readonly answered: number;
    readonly right: number;
    /** Rows of DATA at which there was an alarm of drift. */
    readonly alarms: readonly number[];
    readonly settings: StreamSettings;
    readonly classifier: OnlineClassifier | null;
  };
  /** Null before two classes are known. */
  readonly model: Model | null;
  readonly modelPath: string | null;
  readonly notes: readonly string[];
  /** Time from the start of the process. */
  readonly seconds: number;
}

const strongestShown = 8;

/** Returns the object that `learn --json` prints. */
export function learningJson({ learning, model, modelPath, notes, seconds }: LearningSummary): object {
  const { path, input, rows, learned, answered, right, alarms, settings, classifier } = learning;
  return {
    state: path,
    rows,
    learned,
    examples: classifier?.examples ?? 0,
    classes: classifier?.classes ?? [],
    members: classifier?.members ?? [],
    columns: classifier?.columns ?? [],
    ...withoutNulls({
      rule: settings.rule,
      options: settings.options,
      updates: model?.training.updates ?? null,
      features: model?.training.features ?? null,
      model: modelPath,
    }),
    answered,
    right,
    metrics: classifier?.metrics ?? null,
    drift: settings.drift === null ? null : { test: settings.drift, rows: alarms },
    rejected: input?.rejects.count ?? 0,
    seconds: { total: seconds },
    notes,
  };
}

/** Returns the text that `learn` prints. */
export function learningText({ learning, model, modelPath, seconds }: LearningSummary): string {
  const { path, input, rows, learned, alarms, settings, classifier } = learning;
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
        `${settings.rule === usualRule ? usualRule : ruleOf(known)}, ${counted(known.training.updates, 'update')}, ${counted(known.training.features, 'feature')}${of}: ${listed(known.kind === 'linear' ? [...known.classes] : (classifier?.classes ?? []), 10)}`,
      ]),
    ),
    section('Answers', memberLines(classifier)),
    section('Columns', kindLines(classifier)),
    section('Right', rightLines(learning)),
    section(
      'Drift',
      ifKnown(settings.drift, (test) => [driftLine(test, alarms)]),
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

/** Returns which rule answers, and why. */
function memberLines(classifier: OnlineClassifier | null): string[] {
  const members = classifier?.members ?? [];
  if (members.length === 0) return [];
  const named = members.map(({ rule, options, mistakes, answers }) => ({
    name: candidateName({ rule: { name: rule, ...options } as RuleWithOptions, multiclass: 'one-vs-rest' }),
    mistakes,
    answers,
  }));
  const leader = named.find(({ answers }) => answers)!;
  const each = named.map(({ name, mistakes }) => `${name}: ${number(mistakes)}`);
  return [`by ${leader.name}, which made the fewest recent mistakes; older ones count less`, each.join('; ')];
}

const columnsShown = 12;

/** Returns the kinds of columns, and which of them are not decided. */
function kindLines(classifier: OnlineClassifier | null): string[] {
  const columns = classifier?.columns ?? [];
  if (columns.length === 0) return [];
  const open = columns.filter(({ decided }) => !decided).map(({ name }) => name);
  const further = `not decided before 50 values: ${open.length === columns.length ? 'all' : listed(open, columnsShown)}`;
  return [
    listed(
      columns.map(({ name, kind }) => `${name} ${kind}`),
      columnsShown,
    ),
    ...(open.length === 0 ? [] : [further]),
  ];
}

/** Returns the accuracies of the answers that were given before each update. */
function rightLines({ answered, right, classifier, input }: LearningSummary['learning']): string[] {
  if (classifier === null || classifier.metrics.rows === 0) return [];
  const { accuracy, majority, logLoss, rows, window } = classifier.metrics;
  const line = (share: number, what: string) => `${percent(share).padStart(8)}  ${what}`;
  return [
    ...(input === null || answered === 0 || answered === rows
      ? []
      : [line(right / answered, `of the ${counted(answered, 'row')} of this run`)]),
    line(
      accuracy,
      `of ${counted(rows, 'row')} so far, each before the update on it; always the most frequent class: ${percent(majority)}`,
    ),
    ...(window.rows < rows ? [line(window.accuracy, `of the latest ${counted(window.rows, 'row')}`)] : []),
    ...(logLoss === null ? [] : [`          log loss ${number(logLoss)} of the rows that had probabilities`]),
  ];
}

function driftLine(test: string, alarms: readonly number[]): string {
  if (alarms.length === 0) return `no alarm by ${test} in this run`;
  return `${counted(alarms.length, 'alarm')} by ${test}: errors became more frequent at ${listed(
    alarms.map((row) => `row ${count(row)}`),
    5,
  )}`;
}
