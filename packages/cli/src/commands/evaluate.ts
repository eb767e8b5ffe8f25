import {
  averagePrecision,
  CalibrationTally,
  type Confusion,
  classProbabilitiesOf,
  evaluate as evaluateModel,
  type Judgement,
  type Model,
  type ProbabilityJudgement,
  perClass,
  type Reliability,
  rankScores,
  rocArea,
  ScoredRows,
  tieOf,
} from 'halfspace';
import { openWhole, type WholeFile } from 'halfspace/node';
import { openInput } from '../data/input.ts';
import { readModel } from '../data/model-file.ts';
import type { DataOptions } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { rightLines } from '../report/calibration.ts';
import { count, counted, number, percent, section } from '../report/format.ts';
import { printNotes } from '../report/notes.ts';
import { analyseScores, type ScoreAnalysis } from '../report/score-analysis.ts';
import { reliabilityLines, terminalWidth } from '../report/terminal-charts.ts';

export interface EvaluateCommandOptions extends Omit<DataOptions, 'model'> {
  readonly report?: string;
  readonly json?: boolean;
}

/** `halfspace evaluate`. */
export async function evaluate(
  modelPath: string,
  data: readonly string[],
  given: EvaluateCommandOptions,
): Promise<void> {
  const started = performance.now();
  const options = await claimFiles('evaluate', { model: modelPath, data }, given);
  const model = readModel(modelPath);
  const kernels = kernelsOfRun();
  const input = await openInput(data, { ...options, model, once: true }, kernels);
  let pageFile: WholeFile | null = null;
  try {
    // Opened now, so that a place that cannot be written to is known before the work.
    if (options.report !== undefined) pageFile = openWhole(options.report);
    const two = model.classes.length === 2;
    const { calibration } = model;
    const scored = new ScoredRows(two ? 1 : model.classes.length);
    const keeps = two || calibration !== null || pageFile !== null;
    const tally = calibration === null ? null : new CalibrationTally(model);
    const judgement = await evaluateModel(input.source, model, kernels, {
      onScores(scores, labels) {
        if (keeps) scored.add(scores, labels);
        tally?.add(scores, labels);
      },
    });
    input.finish();
    if (keeps && !scored.complete)
      input.notes.push(
        `ranking is not judged beyond ${count(ScoredRows.most)} scores: it needs all at once, and memory is not to grow with the data`,
      );
    const analysed = pageFile !== null || calibration !== null;
    const judged: Judged = {
      judgement,
      ranked: two ? judgeRanking(scored) : null,
      probabilities: tally?.judgement ?? null,
      analysis: analysed && scored.complete ? analysisOf(model, scored) : null,
    };
    if (pageFile !== null) {
      const { evaluationPage } = await import('../report/page/evaluation-page.ts');
      pageFile.append(await evaluationPage({ ...judged, model, modelPath, name: input.name, notes: input.notes }));
      pageFile.finish();
    }
    const seconds = (performance.now() - started) / 1000;
    const output = openOutput();
    await output.write(
      options.json === true
        ? `${JSON.stringify({ ...evaluationJson(judged, model), rejected: input.rejects.count, seconds: { total: seconds }, model: modelPath, ...(options.report === undefined ? {} : { page: options.report }), notes: input.notes })}\n`
        : evaluationText(judged, model, input.name, options.report),
    );
    await output.finish();
    if (options.json !== true) printNotes(input.notes);
  } finally {
    pageFile?.discard();
    input.close();
  }
}

/** What is known of a model's answers. */
interface Judged {
  readonly judgement: Judgement;
  /** Null for more than two classes. */
  readonly ranked: RankingJudgement | null;
  /** Null without a calibration. */
  readonly probabilities: ProbabilityJudgement | null;
  /** Where it is needed, and scores could be kept. */
  readonly analysis: ScoreAnalysis | null;
}

function analysisOf(model: Model, scored: ScoredRows): ScoreAnalysis | null {
  const { calibration, classes } = model;
  const usable = calibration !== null && !scored.scores.some(Number.isNaN);
  return analyseScores(scored, classes, tieOf(model), usable ? classProbabilitiesOf(calibration, scored) : null);
}

/** How well scores put the positive class above the negative one, in [0, 1]; null where not both are present. */
interface RankingJudgement {
  readonly rocArea: number | null;
  readonly averagePrecision: number | null;
}

/** Scores that overflowed to NaN have no order, so nothing is said of their ranking. */
function judgeRanking({ complete, scores, labels }: ScoredRows): RankingJudgement {
  if (!complete || scores.some(Number.isNaN)) return { rocArea: null, averagePrecision: null };
  const ranking = rankScores(scores, labels);
  return { rocArea: rocArea(ranking), averagePrecision: averagePrecision(ranking) };
}

/** Rows of `confusion` are true classes, columns the classes that were given, in the order of `classes`. */
function evaluationJson({ judgement, ranked, probabilities, analysis }: Judged, { classes }: Model): object {
  const { examples, accuracy, errors, confusion } = judgement;
  const reliability = analysis?.probabilities?.reliability;
  return {
    examples,
    accuracy,
    errors,
    classes,
    confusion,
    perClass: perClass(confusion, classes),
    ...ranked,
    ...(probabilities === null ? {} : probabilitiesJson(probabilities)),
    ...(reliability === undefined ? {} : { reliability: reliabilityJson(reliability) }),
  };
}

/** `mostProbable` is how often the most probable class is right, beside `accuracy`, which is that of the class of the score. */
function probabilitiesJson({ brierScore, logLoss, accuracy, errors }: ProbabilityJudgement): object {
  return { brierScore, logLoss, mostProbable: { accuracy, errors } };
}

function reliabilityJson(reliability: Reliability): object {
  const { meanProbabilities, positiveShares, weights, expectedCalibrationError } = reliability;
  return {
    groups: Array.from(weights, (rows, i) => ({
      probability: meanProbabilities[i]!,
      cameTrue: positiveShares[i]!,
      rows,
    })),
    expectedCalibrationError,
  };
}

/** What probabilities were worth, and how often they came true. */
function probabilityLines({ probabilities, analysis }: Judged): string[] {
  if (probabilities === null) return ['not judged: that takes scores that are numbers'];
  const reliability = analysis?.probabilities?.reliability;
  return [
    `log loss ${number(probabilities.logLoss)}, Brier score ${number(probabilities.brierScore)}`,
    ...rightLines(probabilities),
    ...(reliability === undefined
      ? []
      : [
          `off by ${percent(reliability.expectedCalibrationError)} on average`,
          ...reliabilityLines(reliability, terminalWidth() - 11),
        ]),
  ];
}

function evaluationText(judged: Judged, { classes, calibration }: Model, name: string, page?: string): string {
  const { judgement, ranked } = judged;
  const { confusion } = judgement;
  const metrics = perClass(confusion, classes);
  const width = Math.max(...classes.map((each) => each.length), 10);
  const share = (value: number | null) => (value === null ? '–' : percent(value)).padStart(9);
  return [
    section('Read', [`${name}: ${counted(judgement.examples, 'row')}`]),
    section('Right', [
      `${percent(judgement.accuracy)}, ${judgement.errors === 0 ? 'no error' : counted(judgement.errors, 'error')}`,
    ]),
    ranked === null
      ? ''
      : section('Ranked', [
          ranked.rocArea === null || ranked.averagePrecision === null
            ? 'not judged: that takes rows of both classes, and scores that are numbers'
            : `ROC area ${percent(ranked.rocArea)}, average precision ${percent(ranked.averagePrecision)}`,
        ]),
    calibration === null ? '' : section('Probable', probabilityLines(judged)),
    section('Confusion', confusionLines(confusion, classes)),
    section('Classes', [
      `${''.padEnd(width)}  precision     recall         F1       rows`,
      ...metrics.map(
        (each) =>
          `${each.class.padEnd(width)}  ${share(each.precision)}  ${share(each.recall)}  ${share(each.f1)}  ${count(each.support).padStart(9)}`,
      ),
    ]),
    page === undefined ? '' : section('Report', [page]),
  ].join('');
}

/** More classes than this do not fit side by side. */
const mostColumns = 12;

/** The table of true classes against classes given, or of many classes the pairs that were mistaken most often. */
function confusionLines(confusion: Confusion, classes: readonly string[]): string[] {
  const names = Math.max(...classes.map((each) => each.length), 10);
  if (classes.length > mostColumns) {
    const pairs = confusion.flatMap((row, i) => row.map((n, j) => ({ i, j, n })));
    const mistaken = pairs
      .filter(({ i, j, n }) => i !== j && n > 0)
      .sort((a, b) => b.n - a.n || a.i - b.i || a.j - b.j);
    const lines = mistaken
      .slice(0, mostColumns)
      .map(({ i, j, n }) => `${count(n).padStart(8)}  ${classes[i]} given ${classes[j]}`);
    return lines.length === 0 ? ['no row was given another class'] : lines;
  }
  const largest = Math.max(...confusion.flat());
  const width = Math.max(count(largest).length, ...classes.map((each) => each.length), classes.length > 4 ? 4 : 10);
  return [
    `${''.padEnd(names)}  ${classes.map((each) => each.padStart(width)).join('  ')}   ← class given`,
    ...classes.map(
      (each, k) => `${each.padEnd(names)}  ${confusion[k]!.map((n) => count(n).padStart(width)).join('  ')}`,
    ),
  ];
}
