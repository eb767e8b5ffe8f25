import { statSync } from 'node:fs';
import type {
  CalibrationReport,
  Judgement,
  MetricName,
  Model,
  RuleSearch,
  RuleWithOptions,
  Setting,
  Threshold,
  Trained,
  TrainingScores,
  TrainState,
  TriedRule,
} from 'halfspace';
import type { ProbabilityJudgement } from 'halfspace/metrics';
import { qualityOf } from 'halfspace/models';
import { hasPasses } from 'halfspace/rules';
import { inspected } from 'halfspace/tables';
import type { Input } from '../data/opened.ts';
import { calibrationLines, evenJson, rightLines as rightByProbability } from './calibration.ts';
import { candidateName, flatCandidate, settingNames, untriedLines } from './candidates.ts';
import { columnLines, columnsJson } from './columns.ts';
import { strongestLines } from './features.ts';
import {
  below,
  bytes,
  count,
  counted,
  ifKnown,
  listed,
  number,
  percent,
  radiusAbove,
  section,
  withoutNulls,
} from './format.ts';
import { tableLines, whyLines } from './inspected.ts';
import { marginLines } from './margins.ts';
import { metricNumber, metricText, metricWords } from './metric.ts';
import { mistakeLines } from './mistakes.ts';
import { baselineLines, classLines, judgedClasses } from './quality.ts';
import type { ScoreAnalysis } from './score-analysis.ts';
import { reliabilityLines, rocLine, sparkline, terminalWidth } from './terminal-charts.ts';
import { treeLines, treeSummary } from './tree.ts';

type SeenColumn = Parameters<typeof inspected>[1][number];

interface WrittenLedger {
  readonly path: string;
  readonly bytes: number;
  readonly updateBytes: number;
}

/** A training run and everything that its report shows. */
export interface TrainingSummary extends Trained {
  readonly input: Input;
  /** The columns of a table, as they were seen when their encoding was fitted; null: it was not. */
  readonly seen: readonly SeenColumn[] | null;
  /** The metric of the choice and of early stopping. */
  readonly metric: MetricName;
  /** The ways to read the data, for a search over them. */
  readonly readings: readonly { readonly name: string }[];
  /** True: the text shows every column and candidate. */
  readonly verbose: boolean;
  /** `-` is standard output. */
  readonly modelPath: string;
  readonly modelBytes: number;
  /** Time from the start of the process until the model was complete. */
  readonly seconds: number;
  /** The file of `--validate`, or null. */
  readonly judgedOn: string | null;
  readonly ledger: WrittenLedger | null;
  /** Analysis of the scores; null without them. */
  readonly analysis: ScoreAnalysis | null;
  /** The state that the run went on from, and its file; null if it began anew. */
  readonly continued: { readonly path: string; readonly state: TrainState } | null;
  /** Path of the written state; null if none was requested. */
  readonly statePath: string | null;
  /** Means of the features over the training rows; null: not known. */
  readonly means: Float64Array | null;
  /** Path of the report page; null if none was requested. */
  readonly pagePath: string | null;
}

const strongestShown = 8;

/** Returns the object that `train --json` prints. */
export function trainingJson(run: TrainingSummary): object {
  const {
    report,
    input,
    metric,
    modelPath,
    seconds,
    judgedOn,
    search,
    pagePath,
    ledger,
    continued,
    statePath,
    readings,
  } = run;
  const { train, holdout, validation, ...rest } = report;
  const judged = holdout ?? validation;
  return {
    ...rest,
    metric,
    train: train && { ...train, ...qualityOf(train, report.classes) },
    ...withoutNulls({
      holdout: judged && {
        ...judged,
        ...qualityOf(judged, report.classes),
        ...withoutNulls({ file: judgedOn }),
      },
      search: search && {
        ...search,
        tried: search.tried.map(flatCandidate),
        untried: search.untried.map(flatCandidate),
        ...(readings.length > 1 ? { sources: readings.map(({ name }) => name) } : {}),
      },
    }),
    ...withoutNulls({ threshold: run.threshold }),
    ...studyJson(run),
    rejected: input.rejects.count,
    seconds: { total: seconds },
    model: modelPath,
    ...withoutNulls({
      ledger,
      page: pagePath,
      state: statePath,
      continued: continued && { state: continued.path, passes: continued.state.passes },
    }),
    ...columnsJson(run.model.features),
    ...(input.leaks?.length ? { leaks: input.leaks } : {}),
    notes: input.notes,
  };
}

/**
 * `ranking` is of the rows that `of` names, see `TrainingScores`. Each of three or more classes is ranked by its lead.
 */
function studyJson({ calibration, curves, scores, analysis, report, model }: TrainingSummary): object {
  const ranked = analysis?.rankings.map(({ class: name, rocArea, averagePrecision }) => ({
    class: name,
    rocArea,
    averagePrecision,
  }));
  return withoutNulls({
    calibration: calibration && { ...calibrationJson(calibration), ...evenJson(model) },
    learningCurve: curves?.learning ?? null,
    validationCurve: curves?.validation ?? null,
    ranking: scores &&
      analysis && {
        of: namedByFlag(scores.of),
        examples: analysis.rows,
        ...(report.classes.length === 2 ? ranked![0] : { classes: ranked }),
      },
  });
}

/** Names the members of a calibration report after the flags of the command. */
function calibrationJson({ validation, ...rest }: CalibrationReport): object {
  return { ...rest, validate: validation };
}

function namedByFlag(of: TrainingScores['of']): string {
  return of === 'validation' ? 'validate' : of;
}

/** Numbers of columns of a table, of lines that explain them, and of candidates, that are shown without `verbose`. */
const mostColumns = 20;
const mostReasons = 12;
const mostCandidates = 5;

function columnSections({ model: { features }, seen, input, verbose }: TrainingSummary): string[] {
  if (features.kind !== 'table') return [];
  // A run that goes on has the columns of its state.
  if (seen === null) return [section('Columns', columnLines(features))];
  const columns = inspected(features, seen, input.leaks ?? [], input.notes);
  return [
    section('Columns', tableLines(columns, verbose ? Infinity : mostColumns)),
    section('Why', whyLines(columns, verbose ? Infinity : mostReasons)),
  ];
}

/** Returns the text that `train` prints. */
export function trainingText(run: TrainingSummary): string {
  const { model, input, modelPath, report, ledger } = run;
  const written = modelPath === '-' ? 'standard output' : modelPath;
  const { rejects } = input;
  return [
    section('Read', readLines(run)),
    ...columnSections(run),
    section(
      'Continued',
      ifKnown(run.continued, ({ path, state }) => [
        `${path}: ${counted(state.passes, 'pass', 'passes')} before; the numbers here are of this run`,
      ]),
    ),
    section(
      'Chosen',
      ifKnown(run.search, (search) => chosenLines(search, run)),
    ),
    section('Learned', model.kind === 'tree' ? treeSummary(model) : learnedLines(run)),
    section(
      'Threshold',
      ifKnown(run.threshold, (threshold) => [thresholdText(threshold)]),
    ),
    section('Stopped', stopLines(run)),
    section('Right', rightLines(run)),
    section(
      'Classes',
      ifKnown(judgedRows(run), ({ judgement, what }) => [
        `on the ${what}${judgement === report.train ? ', where a model looks better than it is' : ''}`,
        ...classLines(judgement.confusion, judgedClasses(report.classes, judgement)),
      ]),
    ),
    studySections(run),
    model.kind === 'tree'
      ? section('Tree', treeLines(model))
      : model.kind === 'dual'
        ? section('Mistakes', mistakeLines(model))
        : section('Strongest', strongestLines(model, strongestShown, modelPath === '-' ? undefined : modelPath)),
    section(
      'Report',
      ifKnown(run.pagePath, (path) => [path]),
    ),
    section('Model', [`${written} (${bytes(run.modelBytes)}), ${run.seconds.toFixed(2)} s in total`]),
    section(
      'State',
      ifKnown(run.statePath, (path) => [
        `${path} (${bytes(statSync(path).size)}); to go on: halfspace train DATA --continue ${path}`,
      ]),
    ),
    section(
      'Ledger',
      ifKnown(ledger, (written) => [ledgerLine(written, report.updates)]),
    ),
    section('Skipped', rejects.count === 0 ? [] : [`${counted(rejects.count, 'bad row')}: see ${rejects.path}`]),
  ].join('');
}

/** Returns a decision threshold, and what it is worth. */
export function thresholdText({ metric, score, value, valueAtZero }: Threshold): string {
  const gain = `${metricText(metric, value)} out of fold, ${metricText(metric, valueAtZero)} at 0`;
  return `score ${number(score)}, the best for ${metricWords(metric)}: ${gain}; scores are counted from there`;
}

function ledgerLine({ path, bytes: size, updateBytes }: WrittenLedger, updates: number): string {
  const each = updates === 0 ? '' : `, ${number(updateBytes / updates)} bytes per update`;
  return `${path} (${bytes(size)}${each}); to read it: halfspace ledger ${path}`;
}

function learnedLines({ report, model }: TrainingSummary): string[] {
  const { as, passes, stop, updates, updatesPerPass } = report;
  const rule = as === null ? ruleOf(model) : `${report.rule} as in ${as}`;
  if (stop === 'minimum') return [`${rule}, ${counted(updates, 'step')} of Newton's method`];
  return [
    `${rule}, ${counted(passes, 'pass', 'passes')}, ${counted(updates, 'update')}`,
    `updates in each pass: ${shortened(updatesPerPass)}`,
  ];
}

/** Returns the model's rule with the options that are not the defaults. */
export function ruleOf(model: Model): string {
  const multiclass = model.kind === 'multiclass' ? model.strategy : 'one-vs-rest';
  return candidateName({ rule: { name: model.rule, ...model.options } as RuleWithOptions, multiclass });
}

function readLines({ report, input }: TrainingSummary): string[] {
  const held = report.holdout === null ? '' : `, ${counted(report.holdout.examples, 'held-out row')}`;
  const { classes, classExamples } = report;
  return [
    `${input.name}: ${counted(report.examples, 'training row')}${held}, ${counted(report.features, 'feature')}, ${counted(report.nonzeros, 'value')}`,
    classes.length === 2
      ? `${classes[1]} (${count(classExamples[1]!)}, positive) against ${classes[0]} (${count(classExamples[0]!)}, negative)`
      : listedClasses(report, 10),
  ];
}

/** Returns the classes with their numbers of training rows. */
export function listedClasses({ classes, classExamples }: TrainingSummary['report'], most: number): string {
  return listed(
    classes.map((name, k) => `${name} (${count(classExamples[k]!)})`),
    most,
  );
}

const scoresOf = {
  holdout: 'held out',
  validation: 'of the other file',
  'out-of-fold': 'each scored by a run that did not train on it',
  train: 'of the training data, which makes the model look better than it is',
};

/** Returns ranking, calibration and curves as small charts. */
function studySections({ calibration, curves, scores, analysis, report, model }: TrainingSummary): string {
  const room = terminalWidth() - 11;
  const [first] = analysis?.rankings ?? [];
  const worth = (judged: ProbabilityJudgement | null, what: string) =>
    ifKnown(judged, (known) => [
      `log loss ${number(known.logLoss)}, Brier score ${number(known.brierScore)} ${what}`,
      ...rightByProbability(known, what),
    ]);
  return [
    section(
      'Ranked',
      ifKnown(report.classes.length > 2 ? null : first?.roc, (roc) => [
        `ROC area ${number(first!.rocArea!)}, average precision ${number(first!.averagePrecision!)}: ${counted(analysis!.rows, 'row')} ${scoresOf[scores!.of]}`,
        `recall   ${rocLine(roc, Math.min(40, room - 40))}  over the false positive rate, 0 to 1`,
      ]),
    ),
    section(
      'Calibrated',
      ifKnown(calibration, ({ kind, folds, outOfFold, holdout, validation }) => [
        `by ${kind}, on the scores of a ${folds}-fold cross-validation`,
        ...calibrationLines(model),
        ...worth(outOfFold, 'out of fold'),
        ...worth(holdout, 'held out'),
        ...worth(validation, 'on the other file'),
        ...ifKnown(analysis?.probabilities, ({ reliability }) => reliabilityLines(reliability, room)),
      ]),
    ),
    section(
      'More rows',
      ifKnown(drawable(curves?.learning), ({ points }) => [
        `${heldOutCurve(points)}, from ${counted(Math.round(points[0]!.examples), 'row')} to ${count(Math.round(points.at(-1)!.examples))}`,
      ]),
    ),
    section(
      'Passes',
      ifKnown(drawable(curves?.validation), ({ points }) => [
        `${heldOutCurve(points)}, after 1 to ${counted(points.at(-1)!.passes, 'pass', 'passes')}`,
      ]),
    ),
  ].join('');
}

/** Returns a curve with at least two points; else null. */
export function drawable<C extends { readonly points: readonly unknown[] }>(curve: C | null | undefined): C | null {
  return curve == null || curve.points.length < 2 ? null : curve;
}

function heldOutCurve(points: readonly { readonly heldOut: { readonly mean: number } }[]): string {
  const means = points.map(({ heldOut }) => heldOut.mean);
  return `${sparkline(means)}  held out ${percent(means[0]!)} to ${percent(means.at(-1)!)} right`;
}

/** Returns `9, 3, 0`; long lists are shortened in the middle. */
function shortened(updates: readonly number[]): string {
  const shown = updates.map(count);
  return shown.length <= 10 ? shown.join(', ') : `${shown.slice(0, 6).join(', ')}, …, ${shown.slice(-3).join(', ')}`;
}

/** Returns candidates and their accuracies, best first: the best five, the chosen one, and the best of each shape. */
function chosenLines(
  { tried, taken, why, metric, untried }: RuleSearch,
  { verbose, readings }: Pick<TrainingSummary, 'verbose' | 'readings'>,
): string[] {
  if (why === 'large')
    return [
      `averaged with early stopping${metric === 'accuracy' ? '' : ` by ${metricWords(metric)}`}: too many rows to compare rules; --rule names another rule`,
    ];
  const namesOf = settingNames<Setting & { readonly shape?: TriedRule['shape'] }>([...tried, ...untried], readings);
  const names = tried.map(namesOf);
  const isShown = tried.map(
    ({ shape }, k) =>
      verbose || k < mostCandidates || k === taken || tried.findIndex((each) => each.shape === shape) === k,
  );
  const folded = isShown.filter((shown) => !shown).length;
  const width = Math.max(...names.filter((_, k) => isShown[k]).map((name) => name.length));
  const [{ folds, examples }] = tried as [TriedRule];
  const reason = chosenReason({ why });
  return [
    folds === 1
      ? `on one fold of ${counted(examples, 'row')}, by runs on the others; ${metricWords(metric)}`
      : `by cross-validation, ${folds} folds of ${counted(examples, 'row')}; ${metricWords(metric)} ± standard deviation between folds`,
    ...tried.flatMap(({ rule, value, valueSpread, passes, folds: own }, k) => {
      if (!isShown[k]) return [];
      const number = metricNumber(metric, value).padStart(6);
      const share = own === 1 ? metricText(metric, value) : `${number} ± ${metricText(metric, valueSpread)}`;
      // One that is left out early, because it is clearly worse, has fewer folds.
      const course = [
        ...(hasPasses(rule.name) ? [counted(passes, 'pass', 'passes')] : []),
        ...(own === folds ? [] : [counted(own, 'fold', 'folds')]),
      ];
      return `${k === taken ? '→' : ' '} ${names[k]!.padEnd(width)}  ${share}  ${course.join(', ')}`.trimEnd();
    }),
    ...(folded === 0 ? [] : [`  … and ${counted(folded, 'more candidate')}: --verbose shows all`]),
    ...(reason === '' ? [] : [reason]),
    ...untriedLines(untried.map(namesOf)),
  ];
}

/** Returns why the choice is not the first candidate; empty if it is. */
export function chosenReason({ why }: Pick<RuleSearch, 'why'>): string {
  switch (why) {
    case 'separates':
      return 'averaged is chosen: it is hardly less accurate than the best, and it separates the rows, which is a proof';
    case 'pairs':
      return 'the chosen one has the pairs that were asked for';
    case 'simplest':
      return 'the chosen one is the simplest that is at most one standard error worse than the best';
    default:
      return '';
  }
}

/** Returns true if the learner saw other numbers than those of the data. */
function isScaled(model: Model): boolean {
  const { features } = model;
  if (features.kind === 'table' && features.scale === 'standard') return true;
  if ('functions' in model) return model.functions.some((each) => each.divisor !== 1);
  return model.kind === 'linear' && model.divisor !== 1;
}

/** Returns why the run stopped, and what it proved about margins. Empty for a tree. */
export function stopLines({ report, metric, model }: TrainingSummary): string[] {
  const { stop, train } = report;
  const scaled = isScaled(model) ? ' after scaling' : '';
  const margins = marginLines(report, model.features);
  const geometry = [
    ...(train === null || train.margin === null || train.radius === null
      ? []
      : [`margin ${below(train.margin, 4)}, radius ${radiusAbove(train.radius)}, of the training rows${scaled}`]),
    ...margins,
  ];
  switch (stop) {
    case 'separated':
      return ['separated: every training row is classified correctly', ...geometry];
    case 'quiet':
      return ['quiet: no update for a long time, but some training rows are misclassified', ...geometry];
    case 'patience':
      return [
        `patience: early stopping; the weights are those of pass ${report.best!.pass}, the best${metric === 'accuracy' ? '' : ` by ${metricWords(metric)}`} on the tenth of the rows held out for this (${percent(report.best!.accuracy)} right)`,
        ...geometry,
      ];
    case 'grown':
      return [];
    case 'minimum':
      return [
        'minimum: no other weights have a smaller loss with its penalty',
        ...(train?.separated === true ? ['every training row is classified correctly', ...geometry] : margins),
      ];
    case 'budget':
      return [
        `budget: ${report.passes === 1 ? 'the one pass is' : `all ${count(report.passes)} passes are`} done${report.classes.length > 2 ? '' : `; ${verdict(report)}`}`,
        ...(train?.separated === true ? ['every training row is classified correctly', ...geometry] : margins),
      ];
  }
}

/** Returns what is known about separability when all passes are done. */
function verdict({ bracket, maximumMargin }: TrainingSummary['report']): string {
  if (bracket?.bound != null || maximumMargin?.separable === true) return 'a hyperplane separates the rows';
  if (bracket?.upper === 0 || maximumMargin?.separable === false) return 'no hyperplane separates the rows';
  return 'it is not known whether a hyperplane separates the rows';
}

function rightLines(run: TrainingSummary): string[] {
  const { report, judgedOn } = run;
  const { progressive, train, holdout, validation } = report;
  const line = ({ accuracy, errors }: { accuracy: number; errors: number }, what: string) =>
    `${percent(accuracy).padStart(8)}  ${what}, ${errors === 0 ? 'no error' : counted(errors, 'error')}`;
  const judged = (what: string) => (score: Judgement) => [line(score, `of ${counted(score.examples, 'row')} ${what}`)];
  return [
    ...ifKnown(progressive, (score) => [line(score, 'in the first pass, each row before the update on it')]),
    ...(train === null
      ? ['          of the training rows: unknown, because they are too many to store']
      : [line(train, 'of the training rows')]),
    ...ifKnown(holdout, judged('held out')),
    ...ifKnown(validation, judged(`of ${judgedOn}`)),
    ...ifKnown(judgedRows(run), ({ judgement }) => baselineLines(judgement, report.classes, 8)),
  ];
}

/**
 * Returns the rows by which a run shows how good the model is, and their name: those held out, those of the other file,
 * else those that it was trained on. Null if there are none of these.
 */
export function judgedRows({
  report: { train, holdout, validation },
  judgedOn,
}: Pick<TrainingSummary, 'report' | 'judgedOn'>): { judgement: Judgement; what: string } | null {
  if (holdout !== null) return { judgement: holdout, what: 'rows held out' };
  if (validation !== null) return { judgement: validation, what: `rows of ${judgedOn}` };
  return train === null ? null : { judgement: train, what: 'training rows' };
}
