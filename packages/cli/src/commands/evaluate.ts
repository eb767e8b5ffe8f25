import {
  averagePrecision,
  evaluate as evaluateModel,
  type Judgement,
  type Model,
  perClass,
  rankScores,
  rocArea,
  ScoredRows,
} from 'halfspace';
import { openInput } from '../data/input.ts';
import { readModel } from '../data/model-file.ts';
import type { DataOptions } from '../data/opened.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { count, counted, percent, section } from '../report/format.ts';
import { printNotes } from '../report/notes.ts';

export interface EvaluateCommandOptions extends Omit<DataOptions, 'model'> {
  readonly json?: boolean;
}

/** `halfspace evaluate`. */
export async function evaluate(
  modelPath: string,
  data: readonly string[],
  options: EvaluateCommandOptions,
): Promise<void> {
  const started = performance.now();
  const model = readModel(modelPath);
  const kernels = kernelsOfRun();
  const input = await openInput(data, { ...options, model }, kernels);
  try {
    const scored = new ScoredRows();
    const judgement = await evaluateModel(input.source, model, kernels, { onScores: scored.add });
    input.finish();
    if (!scored.complete)
      input.notes.push(
        `ranking is not judged beyond ${count(ScoredRows.most)} rows: it needs all scores at once, and memory is not to grow with the data`,
      );
    const ranked = judgeRanking(scored);
    const seconds = (performance.now() - started) / 1000;
    const output = openOutput();
    await output.write(
      options.json === true
        ? `${JSON.stringify({ ...evaluationJson(judgement, model), ...ranked, rejected: input.rejects.count, seconds: { total: seconds }, model: modelPath, notes: input.notes })}\n`
        : evaluationText(judgement, ranked, model, input.name),
    );
    await output.finish();
    if (options.json !== true) printNotes(input.notes);
  } finally {
    input.close();
  }
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
function evaluationJson(judgement: Judgement, { classes }: Model): object {
  const { examples, accuracy, errors, confusion } = judgement;
  const { trueNegative, falsePositive, falseNegative, truePositive } = confusion;
  return {
    examples,
    accuracy,
    errors,
    classes,
    confusion: [
      [trueNegative, falsePositive],
      [falseNegative, truePositive],
    ],
    perClass: perClass(confusion, [...classes]),
  };
}

function evaluationText(judgement: Judgement, ranked: RankingJudgement, { classes }: Model, name: string): string {
  const { confusion } = judgement;
  const { trueNegative, falsePositive, falseNegative, truePositive } = confusion;
  const rows: [string, number, number][] = [
    [classes[0], trueNegative, falsePositive],
    [classes[1], falseNegative, truePositive],
  ];
  const width = Math.max(...classes.map((each) => each.length), 10);
  const share = (value: number | null) => (value === null ? '–' : percent(value)).padStart(9);
  return [
    section('Read', [`${name}: ${counted(judgement.examples, 'row')}`]),
    section('Right', [
      `${percent(judgement.accuracy)}, ${judgement.errors === 0 ? 'no error' : counted(judgement.errors, 'error')}`,
    ]),
    section('Ranked', [
      ranked.rocArea === null || ranked.averagePrecision === null
        ? 'not judged: that takes rows of both classes, and scores that are numbers'
        : `ROC area ${percent(ranked.rocArea)}, average precision ${percent(ranked.averagePrecision)}`,
    ]),
    section('Confusion', [
      `${''.padEnd(width)}  ${classes.map((each) => each.padStart(width)).join('  ')}   ← class given`,
      ...rows.map(
        ([each, ...counts]) => `${each.padEnd(width)}  ${counts.map((n) => count(n).padStart(width)).join('  ')}`,
      ),
    ]),
    section('Classes', [
      `${''.padEnd(width)}  precision     recall         F1       rows`,
      ...perClass(confusion, [...classes]).map(
        (each) =>
          `${each.class.padEnd(width)}  ${share(each.precision)}  ${share(each.recall)}  ${share(each.f1)}  ${count(each.support).padStart(9)}`,
      ),
    ]),
  ].join('');
}
