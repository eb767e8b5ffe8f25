import {
  averagePrecision,
  type Confusion,
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
    const two = model.classes.length === 2;
    const scored = new ScoredRows();
    const judgement = await evaluateModel(input.source, model, kernels, two ? { onScores: scored.add } : {});
    input.finish();
    if (two && !scored.complete)
      input.notes.push(
        `ranking is not judged beyond ${count(ScoredRows.most)} rows: it needs all scores at once, and memory is not to grow with the data`,
      );
    const ranked = two ? judgeRanking(scored) : null;
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
  return { examples, accuracy, errors, classes, confusion, perClass: perClass(confusion, classes) };
}

function evaluationText(
  judgement: Judgement,
  ranked: RankingJudgement | null,
  { classes }: Model,
  name: string,
): string {
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
    section('Confusion', confusionLines(confusion, classes)),
    section('Classes', [
      `${''.padEnd(width)}  precision     recall         F1       rows`,
      ...metrics.map(
        (each) =>
          `${each.class.padEnd(width)}  ${share(each.precision)}  ${share(each.recall)}  ${share(each.f1)}  ${count(each.support).padStart(9)}`,
      ),
    ]),
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
