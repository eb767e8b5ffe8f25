import type { Confusion, Evaluation, Model } from 'halfspace';
import { classProbabilitiesOf, type Reliability } from 'halfspace/metrics';
import { ScoredRows, tieOf } from 'halfspace/models';
import { openWhole } from 'halfspace/node';
import { withKernels } from 'halfspace/runs';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { rightLines } from '../report/calibration.ts';
import { confusedPairs } from '../report/confusion.ts';
import { count, counted, ifKnown, number, percent, section, withoutNulls } from '../report/format.ts';
import { baselineLines, classLines, judgedClasses, neverPredictedWarning } from '../report/quality.ts';
import { analyseScores, reliabilityOf, type ScoreAnalysis } from '../report/score-analysis.ts';
import { reliabilityLines, terminalWidth } from '../report/terminal-charts.ts';
import { type Session, withInput } from './with-input.ts';

/** Runs `halfspace evaluate`. */
export async function evaluate(
  modelPath: string,
  data: readonly string[],
  given: CommandOptions<'evaluate'>,
): Promise<void> {
  const options = await claimFiles('evaluate', { model: modelPath, data }, given);
  const model = readModel(modelPath);
  await withInput(data, { ...options, encodedFor: model, once: true, keepsUnknown: true }, async (session) => {
    const { name, notes, rejects } = session.input;
    const { report } = options;
    // Opened before the work, to fail early if the place cannot be written to.
    const page = report === undefined ? null : openWhole(report);
    try {
      const judged = await judge(model, session, page !== null);
      const warning = neverPredictedWarning(judged.judgement, model.classes, 'rows');
      if (warning !== null) notes.push(warning);
      if (page !== null) {
        const { evaluationPage } = await import('../report/page/evaluation-page.ts');
        page.append(await evaluationPage({ ...judged, model, modelPath, name, notes }));
        page.finish();
      }
      const seconds = { total: process.uptime() };
      await printResult(options.json, {
        json: () => ({
          ...evaluationJson(judged, model),
          rejected: rejects.count,
          seconds,
          model: modelPath,
          ...(report === undefined ? {} : { page: report }),
          notes,
        }),
        text: () => evaluationText(judged, model, name, report),
        notes,
      });
    } finally {
      page?.discard();
    }
  });
}

async function judge(model: Model, { input, kernels }: Session, hasPage: boolean): Promise<Judged> {
  const { classes, calibration } = model;
  const two = classes.length === 2;
  const scored = two || calibration !== null || hasPage ? new ScoredRows(two ? 1 : classes.length) : undefined;
  const judgement = await withKernels(kernels).evaluate(model, input.source, {}, scored);
  input.finish();
  for (const note of judgement.notes) if (!input.notes.includes(note)) input.notes.push(note);
  const kept = scored?.complete === true ? scored : null;
  const analysis = hasPage && kept !== null ? analysisOf(model, kept) : null;
  return {
    judgement,
    analysis,
    reliability:
      analysis === null && judgement.mostProbable !== null && kept !== null
        ? reliabilityOf(classProbabilitiesOf(calibration!, kept), kept, tieOf(model))
        : (analysis?.probabilities?.reliability ?? null),
  };
}

/** The evaluation of a model. */
interface Judged {
  readonly judgement: Evaluation;
  /** Null without a page, or if there were too many rows to store their scores. */
  readonly analysis: ScoreAnalysis | null;
  /** Null without a calibration, or if there were too many rows. */
  readonly reliability: Reliability | null;
}

function analysisOf(model: Model, scored: ScoredRows): ScoreAnalysis | null {
  const { calibration, classes } = model;
  const usable = calibration !== null && !scored.scores.some(Number.isNaN);
  return analyseScores(scored, classes, tieOf(model), usable ? classProbabilitiesOf(calibration, scored) : null);
}

/**
 * Returns the object of `--json`: the members of `Evaluation`, and `reliability`. Rows of `confusion` are true classes,
 * columns are predicted classes, in the order of `classes`. `accuracy` is that of the class by score; `mostProbable`
 * has the accuracy of the most probable class.
 */
function evaluationJson({ judgement, reliability }: Judged, model: Model): object {
  const { examples, accuracy, errors, confusion, baseline, perClass, neverPredicted, unknown, unknownClasses } =
    judgement;
  const { rocArea, averagePrecision, brierScore, logLoss, mostProbable } = judgement;
  const classes = judgedClasses(model.classes, judgement);
  const ranked = model.classes.length === 2 ? { rocArea, averagePrecision } : {};
  return {
    ...{ examples, accuracy, baseline, errors, classes, confusion, perClass, neverPredicted, ...ranked, unknown },
    ...(unknownClasses === undefined ? {} : { unknownClasses }),
    ...withoutNulls({
      brierScore,
      logLoss,
      mostProbable: mostProbable && { accuracy: mostProbable.accuracy, errors: mostProbable.errors },
      reliability: reliability && {
        groups: Array.from(reliability.weights, (rows, i) => ({
          probability: reliability.meanProbabilities[i]!,
          cameTrue: reliability.positiveShares[i]!,
          rows,
        })),
        expectedCalibrationError: reliability.expectedCalibrationError,
      },
    }),
  };
}

/** Returns the losses of the probabilities, and the observed frequencies. */
function probabilityLines({ judgement, reliability }: Judged): readonly string[] {
  const { logLoss, brierScore, mostProbable, accuracy } = judgement;
  if (logLoss === null || brierScore === null || mostProbable === null)
    return ['unknown, because some scores are not numbers'];
  return [
    `log loss ${number(logLoss)}, Brier score ${number(brierScore)}`,
    ...rightLines({ ...mostProbable, scoreAccuracy: accuracy }),
    ...ifKnown(reliability, (curve) => [
      `mean difference between predicted and observed: ${percent(curve.expectedCalibrationError)}`,
      ...reliabilityLines(curve, terminalWidth() - 11),
    ]),
  ];
}

function evaluationText(judged: Judged, { classes, calibration }: Model, name: string, page?: string): string {
  const { judgement } = judged;
  const { confusion, rocArea, averagePrecision } = judgement;
  const all = judgedClasses(classes, judgement);
  return [
    section('Read', [`${name}: ${counted(judgement.examples, 'row')}`]),
    section('Right', [
      `${percent(judgement.accuracy)}, ${judgement.errors === 0 ? 'no error' : counted(judgement.errors, 'error')}`,
      ...baselineLines(judgement, classes),
    ]),
    section('Ranked', classes.length === 2 ? [rankedLine(rocArea, averagePrecision)] : []),
    section('Probable', calibration === null ? [] : probabilityLines(judged)),
    section('Confusion', confusionLines(confusion, all, classes)),
    section('Classes', classLines(confusion, all)),
    section(
      'Report',
      ifKnown(page, (path) => [path]),
    ),
  ].join('');
}

function rankedLine(area: number | null, precision: number | null): string {
  return area === null || precision === null
    ? 'unknown: this needs rows of both classes, and scores that are numbers'
    : `ROC area ${percent(area)}, average precision ${percent(precision)}`;
}

/** Maximum number of columns of the confusion matrix. */
const mostColumns = 12;

/** Returns the confusion matrix, or for many classes the most frequent errors. @param predicted the model's classes. */
function confusionLines(confusion: Confusion, classes: readonly string[], predicted: readonly string[]): string[] {
  const names = Math.max(...classes.map((each) => each.length), 10);
  if (classes.length > mostColumns) {
    const lines = confusedPairs(confusion)
      .slice(0, mostColumns)
      .map(({ i, j, n }) => `${count(n).padStart(8)}  ${classes[i]} predicted as ${classes[j]}`);
    return lines.length === 0 ? ['no errors'] : lines;
  }
  const largest = Math.max(...confusion.flat());
  const widest = Math.max(...predicted.map((each) => each.length));
  const width = Math.max(count(largest).length, widest, classes.length > 4 ? 4 : 10);
  return [
    `${''.padEnd(names)}  ${predicted.map((each) => each.padStart(width)).join('  ')}   ← predicted`,
    ...classes.map(
      (each, k) =>
        `${each.padEnd(names)}  ${predicted.map((_, j) => count(confusion[k]![j]!).padStart(width)).join('  ')}`,
    ),
  ];
}
