import { statSync } from 'node:fs';
import type {
  Judgement,
  ProbabilityJudgement,
  RuleName,
  RuleSearch,
  TrainingResult,
  TrainingStudy,
  Tried,
} from 'halfspace';
import type { Input } from '../data/opened.ts';
import { calibrationLines, evenJson, rightLines as rightByProbability } from './calibration.ts';
import { candidateName } from './candidates.ts';
import { strongestLines } from './features.ts';
import { bytes, count, counted, listed, number, percent, section } from './format.ts';
import { marginLines } from './margins.ts';
import { mistakeLines } from './mistakes.ts';
import type { ScoreAnalysis } from './score-analysis.ts';
import { reliabilityLines, rocLine, sparkline, terminalWidth } from './terminal-charts.ts';
import { treeLines, treeSummary } from './tree.ts';

/** A training run and everything that its report shows. */
export interface TrainingSummary extends TrainingResult {
  readonly input: Input;
  readonly modelPath: string;
  /** From the command's start to the model's end. */
  readonly seconds: number;
  /** The file of `--validate`, or null. */
  readonly judgedOn: string | null;
  /** How the rule was chosen; null where it was named. */
  readonly search: RuleSearch | null;
  /** Where the ledger went, and how long it is; null: none was kept. */
  readonly ledger: { readonly path: string; readonly bytes: number; readonly updateBytes: number } | null;
  /** Calibration and curves; null where neither was asked for. */
  readonly study: TrainingStudy | null;
  /** Of the study's scores. */
  readonly analysis: ScoreAnalysis | null;
  /** Where the page is; null where none was asked for. */
  readonly pagePath: string | null;
}

const strongestShown = 8;

/** What `train --json` prints. */
export function trainingJson(run: TrainingSummary): object {
  const { report, input, modelPath, seconds, judgedOn, search, study, pagePath, ledger } = run;
  const { holdout, validate, ...rest } = report;
  const judged = holdout ?? validate;
  return {
    ...rest,
    ...(judged === null ? {} : { holdout: { ...judged, ...(judgedOn === null ? {} : { file: judgedOn }) } }),
    ...(search === null ? {} : { search: { ...search, tried: search.tried.map(triedJson) } }),
    ...(study === null ? {} : studyJson(run)),
    rejected: input.rejects.count,
    seconds: { total: seconds },
    model: modelPath,
    ...(ledger === null ? {} : { ledger }),
    ...(pagePath === null ? {} : { page: pagePath }),
    notes: input.notes,
  };
}

/** Ranking and probabilities are those of `of`, see `StudiedScores`; of more than two classes each class is ranked by its lead. */
function studyJson({ study, analysis, report, model }: TrainingSummary): object {
  const { calibration, learningCurve, validationCurve, scored } = study!;
  const ranked = analysis?.rankings.map(({ class: name, rocArea, averagePrecision }) => ({
    class: name,
    rocArea,
    averagePrecision,
  }));
  return {
    ...(calibration === null ? {} : { calibration: { ...calibration, ...evenJson(model) } }),
    ...(learningCurve === null ? {} : { learningCurve }),
    ...(validationCurve === null ? {} : { validationCurve }),
    ...(scored === null || analysis === null
      ? {}
      : {
          ranking: {
            of: scored.of,
            examples: analysis.rows,
            ...(report.classes.length === 2 ? ranked![0] : { classes: ranked }),
          },
        }),
  };
}

/** What a person reads at the end of `train`. */
export function trainingText(run: TrainingSummary): string {
  const { model, input, modelPath } = run;
  return [
    section('Read', readLines(run)),
    run.search === null ? '' : section('Chosen', chosenLines(run.search)),
    section('Learned', [...(model.kind === 'tree' ? treeSummary(model) : learnedLines(run))]),
    model.kind === 'tree' ? '' : section('Stopped', stopLines(run)),
    section('Right', rightLines(run)),
    run.study === null ? '' : studySections(run),
    model.kind === 'tree'
      ? section('Tree', treeLines(model))
      : model.kind === 'dual'
        ? section('Mistakes', mistakeLines(model))
        : section('Strongest', strongestLines(model, strongestShown, modelPath)),
    run.pagePath === null ? '' : section('Report', [run.pagePath]),
    section('Model', [`${modelPath} (${bytes(statSync(modelPath).size)}), ${run.seconds.toFixed(2)} s in all`]),
    run.ledger === null ? '' : section('Ledger', [ledgerLine(run.ledger, run.report.updates)]),
    input.rejects.count > 0
      ? section('Set aside', [`${counted(input.rejects.count, 'row')} in ${input.rejects.path}`])
      : '',
  ].join('');
}

function ledgerLine(
  { path, bytes: size, updateBytes }: NonNullable<TrainingSummary['ledger']>,
  updates: number,
): string {
  const each = updates === 0 ? '' : `, ${number(updateBytes / updates)} bytes an update`;
  return `${path} (${bytes(size)}${each}): halfspace ledger ${path} tells of it`;
}

function learnedLines({ report, model }: TrainingSummary): string[] {
  const multiclass = model.kind === 'multiclass' ? model.strategy : 'one-vs-rest';
  const rule = candidateName({ rule: model.rule as RuleName, options: model.options, multiclass });
  return [
    `${report.as === null ? rule : `${report.rule} as in ${report.as}`}, ${counted(report.passes, 'pass', 'passes')}, ${counted(report.updates, 'update')}`,
    `updates in each pass: ${passes(report.updatesPerPass)}`,
  ];
}

function readLines({ report, input }: TrainingSummary): string[] {
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

const scoresOf = {
  holdout: 'held out',
  validate: 'of the other file',
  'out-of-fold': 'each scored by a run that did not learn from it',
  train: 'learned from, which flatters the model',
};

/** Ranking, calibration and curves, as small charts. */
function studySections({ study, analysis, report, model }: TrainingSummary): string {
  const { calibration, learningCurve, validationCurve, scored } = study!;
  const room = terminalWidth() - 11;
  const [first] = analysis?.rankings ?? [];
  const roc = first?.roc ?? null;
  const worth = (judged: ProbabilityJudgement | null, what: string) =>
    judged === null
      ? []
      : [
          `log loss ${number(judged.logLoss)}, Brier score ${number(judged.brierScore)} ${what}`,
          ...rightByProbability(judged, what),
        ];
  return [
    roc === null || report.classes.length > 2
      ? ''
      : section('Ranked', [
          `ROC area ${number(first!.rocArea!)}, average precision ${number(first!.averagePrecision!)}: ${counted(analysis!.rows, 'row')} ${scoresOf[scored!.of]}`,
          `found    ${rocLine(roc, Math.min(40, room - 40))}  as more of the others are taken`,
        ]),
    calibration === null
      ? ''
      : section('Calibrated', [
          `by ${calibration.kind}, on the scores of a ${calibration.folds}-fold cross-validation`,
          ...calibrationLines(model),
          ...worth(calibration.outOfFold, 'out of fold'),
          ...worth(calibration.holdout, 'held out'),
          ...worth(calibration.validate, 'on the other file'),
          ...(analysis === null || analysis.probabilities === null
            ? []
            : reliabilityLines(analysis.probabilities.reliability, room)),
        ]),
    learningCurve === null
      ? ''
      : section('More rows', [
          `${sparkline(learningCurve.points.map(({ heldOut }) => heldOut.mean))}  held out ${spark(learningCurve.points)} right, from ${counted(Math.round(learningCurve.points[0]!.examples), 'row')} to ${count(Math.round(learningCurve.points.at(-1)!.examples))}`,
        ]),
    validationCurve === null
      ? ''
      : section('Passes', [
          `${sparkline(validationCurve.points.map(({ heldOut }) => heldOut.mean))}  held out ${spark(validationCurve.points)} right, after 1 to ${counted(validationCurve.points.at(-1)!.passes, 'pass', 'passes')}`,
        ]),
  ].join('');
}

function spark(points: readonly { readonly heldOut: { readonly mean: number } }[]): string {
  return `${percent(points[0]!.heldOut.mean)} to ${percent(points.at(-1)!.heldOut.mean)}`;
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
function chosenLines({ tried, taken, why }: RuleSearch): string[] {
  if (why === 'large')
    return ['averaged with early stopping: the rows are too many to try much on; --rule names another rule'];
  const names = tried.map(candidateName);
  const width = Math.max(...names.map((name) => name.length));
  const [{ folds, examples }] = tried as [Tried];
  const reason = chosenReason({ why });
  return [
    `by cross-validation, ${folds} folds of ${counted(examples, 'row')}; share right, ± its deviation between folds`,
    ...tried.map(({ accuracy, spread, passes }, k) => {
      const share = `${(100 * accuracy).toFixed(2).padStart(6)} ± ${(100 * spread).toFixed(2)}`;
      return `${k === taken ? '→' : ' '} ${names[k]!.padEnd(width)}  ${share} %  ${counted(passes, 'pass', 'passes')}`;
    }),
    ...(reason === '' ? [] : [reason]),
  ];
}

/** Why it is not the first that was taken; empty where it is. */
export function chosenReason({ why }: Pick<RuleSearch, 'why'>): string {
  return why === 'separates'
    ? 'averaged is hardly behind the best, and separates the rows: that is taken, and proves it'
    : '';
}

export function stopLines({ report }: TrainingSummary): string[] {
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
function verdict({ bracket, maximumMargin }: TrainingSummary['report']): string {
  if (bracket?.bound != null || maximumMargin?.separable === true) return 'a hyperplane separates the rows, though';
  if (bracket?.upper === 0 || maximumMargin?.separable === false) return 'and no number of them would do';
  return 'this does not say whether the classes can be separated';
}

function rightLines({ report, judgedOn }: TrainingSummary): string[] {
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
