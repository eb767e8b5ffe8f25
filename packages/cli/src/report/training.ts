import { statSync } from 'node:fs';
import type { Judgement, Search, TrainingResult, Tried } from 'halfspace';
import type { Input } from '../data/opened.ts';
import { contestantName } from './contestants.ts';
import { strongestLines } from './features.ts';
import { bytes, count, counted, listed, number, percent, section } from './format.ts';
import { marginLines } from './margins.ts';
import { mistakeLines } from './mistakes.ts';
import { treeLines, treeSummary } from './tree.ts';

/** A training run with all that a report tells. */
export interface TrainingRun extends TrainingResult {
  readonly input: Input;
  readonly modelPath: string;
  /** From the command's start to the model's end. */
  readonly seconds: number;
  /** The file of `--validate`, or null. */
  readonly judgedOn: string | null;
  /** How the rule was chosen; null where it was named. */
  readonly search: Search | null;
}

const strongestShown = 8;

/** What `train --json` prints. */
export function trainingJson({ report, input, modelPath, seconds, judgedOn, search }: TrainingRun): object {
  const { holdout, validate, ...rest } = report;
  const judged = holdout ?? validate;
  return {
    ...rest,
    ...(judged === null ? {} : { holdout: { ...judged, ...(judgedOn === null ? {} : { file: judgedOn }) } }),
    ...(search === null ? {} : { search: { ...search, tried: search.tried.map(triedJson) } }),
    rejected: input.rejects.count,
    seconds: { total: seconds },
    model: modelPath,
    notes: input.notes,
  };
}

/** What a person reads at the end of `train`. */
export function trainingText(run: TrainingRun): string {
  const { model, input, modelPath } = run;
  return [
    section('Read', readLines(run)),
    run.search === null ? '' : section('Chosen', chosenLines(run.search)),
    section('Learned', [...(model.kind === 'tree' ? treeSummary(model) : learnedLines(run))]),
    model.kind === 'tree' ? '' : section('Stopped', stopLines(run)),
    section('Right', rightLines(run)),
    model.kind === 'tree'
      ? section('Tree', treeLines(model))
      : model.kind === 'dual'
        ? section('Mistakes', mistakeLines(model))
        : section('Strongest', strongestLines(model, strongestShown, modelPath)),
    section('Model', [`${modelPath} (${bytes(statSync(modelPath).size)}), ${run.seconds.toFixed(2)} s in all`]),
    input.rejects.count > 0
      ? section('Set aside', [`${counted(input.rejects.count, 'row')} in ${input.rejects.path}`])
      : '',
  ].join('');
}

function learnedLines({ report }: TrainingRun): string[] {
  return [
    `${report.as === null ? report.rule : `${report.rule} as in ${report.as}`}, ${counted(report.passes, 'pass', 'passes')}, ${counted(report.updates, 'update')}`,
    `updates in each pass: ${passes(report.updatesPerPass)}`,
  ];
}

function readLines({ report, input }: TrainingRun): string[] {
  const held = report.holdout === null ? '' : `, ${count(report.holdout.examples)} more held out`;
  const { classes, classExamples } = report;
  const told =
    classes.length === 2
      ? `${classes[1]} (${count(classExamples[1]!)}, positive) against ${classes[0]} (${count(classExamples[0]!)}, negative)`
      : listed(
          classes.map((name, k) => `${name} (${count(classExamples[k]!)})`),
          10,
        );
  return [
    `${input.name}: ${counted(report.examples, 'row')} to learn from${held}, ${counted(report.features, 'feature')}, ${counted(report.nonzeros, 'value')}`,
    told,
  ];
}

/** `9, 3, 0`, long runs shortened in the middle. */
function passes(updates: readonly number[]): string {
  const shown = updates.map(count);
  return shown.length <= 10 ? shown.join(', ') : `${shown.slice(0, 6).join(', ')}, …, ${shown.slice(-3).join(', ')}`;
}

/** A candidate without what only the search needs to know of it. */
function triedJson({ rule, options, multiclass, passes, accuracy, spread, errors, folds, examples }: Tried): object {
  return { rule, options, multiclass, passes, accuracy, spread, errors, folds, examples };
}

/** What was tried and how it did, best first. */
function chosenLines({ tried, taken, why }: Search): string[] {
  if (why === 'large')
    return ['averaged with early stopping: the rows are too many to try much on; --rule names another rule'];
  const names = tried.map(contestantName);
  const width = Math.max(...names.map((name) => name.length));
  const [{ folds, examples }] = tried as [Tried];
  const reason =
    why === 'separates'
      ? ['averaged is hardly behind the best, and separates the rows: that is taken, and proves it']
      : [];
  return [
    `by cross-validation, ${folds} folds of ${counted(examples, 'row')}; share right, ± its deviation between folds`,
    ...tried.map(({ accuracy, spread, passes }, k) => {
      const share = `${(100 * accuracy).toFixed(2).padStart(6)} ± ${(100 * spread).toFixed(2)}`;
      return `${k === taken ? '→' : ' '} ${names[k]!.padEnd(width)}  ${share} %  ${counted(passes, 'pass', 'passes')}`;
    }),
    ...reason,
  ];
}

function stopLines({ report }: TrainingRun): string[] {
  const { stop, train } = report;
  const margins = marginLines(report);
  const ownGeometry =
    train === null || train.margin === null || train.radius === null
      ? []
      : [
          `${train.margin === null ? '' : `margin ${number(train.margin)}, `}radius ${number(train.radius)}, of the rows as learned from`,
        ];
  const geometry = [...ownGeometry, ...margins];
  switch (stop) {
    case 'separated':
      return ['separated: every row learned from is on its side, nothing is left to update', ...geometry];
    case 'quiet':
      return ['quiet: nothing more was found to update, yet not every row is on its side', ...geometry];
    case 'patience':
      return [
        `patience: the weights are those of pass ${report.best!.pass}, which did best on a tenth of the rows, set aside to watch the passes (${percent(report.best!.accuracy)} right)`,
        ...geometry,
      ];
    case 'grown':
      return [];
    case 'budget':
      return [
        `budget: ${counted(report.passes, 'pass', 'passes')} spent; ${verdict(report)}`,
        ...(train?.separated === true ? ['every row learned from is on its side all the same', ...geometry] : margins),
      ];
  }
}

/** What is known of whether a hyperplane separates the rows, when the passes are spent. */
function verdict({ bracket, maximumMargin }: TrainingRun['report']): string {
  if (bracket?.bound != null || maximumMargin?.separable === true) return 'a hyperplane separates the rows, though';
  if (bracket?.upper === 0 || maximumMargin?.separable === false) return 'and no number of them would do';
  return 'this does not say whether the classes can be separated';
}

function rightLines({ report, judgedOn }: TrainingRun): string[] {
  const { progressive, train, holdout, validate } = report;
  const line = ({ accuracy, errors }: { accuracy: number; errors: number }, what: string) =>
    `${percent(accuracy).padStart(8)}  ${what}, ${errors === 0 ? 'no error' : counted(errors, 'error')}`;
  const judged = (score: Judgement, what: string) => line(score, `of ${counted(score.examples, 'row')} ${what}`);
  return [
    ...(progressive === null
      ? []
      : [line(progressive, 'in the first pass, each row judged before it was learned from')]),
    ...(train === null
      ? ['          of the rows learned from: not looked at, they were too many to keep']
      : [line(train, 'of the rows learned from')]),
    ...(holdout === null ? [] : [judged(holdout, 'held out')]),
    ...(validate === null ? [] : [judged(validate, `of ${judgedOn}`)]),
  ];
}
