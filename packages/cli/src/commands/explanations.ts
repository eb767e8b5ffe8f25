import type { Model } from 'halfspace';
import { BatchView } from 'halfspace/internal';
import { FeatureList, RowExplainer } from 'halfspace/internal/models';
import { findClass } from 'halfspace/internal/tables';
import { printable } from 'halfspace/printable';
import { count, counted, number } from '../report/format.ts';
import { usage } from '../usage.ts';

type ExplainedBatch = ConstructorParameters<typeof BatchView>[0];
/** An explanation without unknown fields: the columns of DATA are checked as a whole. */
export type ExplainedScore = ReturnType<RowExplainer['explain']>;

/** Explains the scores of the rows of batches. */
export class BatchExplainer {
  readonly #explainer: RowExplainer;
  readonly #options: { readonly most: number; readonly class: string | undefined };
  readonly #features = new FeatureList();
  #view: BatchView | null = null;

  /** @throws HalfspaceError `option-invalid` for models and classes that do not fit. */
  constructor(model: Model, most: number, of: string | undefined) {
    if (model.kind !== 'linear' && model.kind !== 'multiclass')
      throw usage(
        `--explain is for linear models, whose score is a sum of terms; got a model of the rule ${model.rule}${model.kind === 'tree' ? ': halfspace inspect shows the tree' : ''}`,
      );
    if (of !== undefined && findClass(model.classes, of) === -1)
      throw usage(`expected --explain-class with one of ${model.classes.join(', ')}; got ${of}`);
    this.#explainer = new RowExplainer(model);
    this.#options = { most, class: of };
  }

  /** Opens a batch after its rows were scored; until the next batch, nothing else may use the kernels. */
  open(batch: ExplainedBatch): void {
    this.#view = new BatchView(batch);
  }

  /** @param given position of the predicted class of row i. */
  explain(i: number, scores: Float64Array, given: number): ExplainedScore {
    const features = this.#features;
    const row = this.#view!.open(i);
    features.count = 0;
    for (let k = 0; k < row.count; k++) features.add(row.feature(k), row.value(k));
    return this.#explainer.explain(features, scores, given, this.#options);
  }
}

/** Returns the names of the columns of explanations with this number of terms. */
export function explanationNames(most: number, prefix: string): string[] {
  const terms = Array.from({ length: most }, (_, k) => [`term_${k + 1}`, `value_${k + 1}`, `contribution_${k + 1}`]);
  const names = ['explained_class', 'explained_score', 'mean_score', ...terms.flat(), 'others', 'rounding'];
  return names.map((name) => prefix + name);
}

/** Returns the cells of these columns. */
export function explanationCells(told: ExplainedScore, most: number): string[] {
  const terms = Array.from({ length: most }, (_, k) => {
    const { term, value, contribution } = told.terms[k] ?? { term: '', value: null, contribution: '' };
    return [term, value === null ? '' : String(value), String(contribution)];
  });
  const ends = [told.others, told.rounding].map(String);
  return [told.class, String(told.score), String(told.meanScore), ...terms.flat(), ...ends];
}

export function explanationJson(told: ExplainedScore): string {
  return JSON.stringify(told);
}

/** Returns lines for people: the score, the mean row's, and the terms with their signs, indented. */
export function explanationText(told: ExplainedScore): string {
  const { score, meanScore, isMean, terms, otherTerms, others } = told;
  const entries: (readonly [number: string, what: string])[] = [
    [signed(score), `score for ${told.class}`],
    [signed(meanScore), isMean ? 'the mean row' : 'the mean of numbers, and 0 for all else'],
    ...terms.map(
      ({ term, value, contribution }) =>
        [signed(contribution), value === null ? `${term} missing or new` : `${term} = ${shown(value)}`] as const,
    ),
    ...(otherTerms === 0 ? [] : [[signed(others), counted(otherTerms, 'other term')] as const]),
  ];
  const width = Math.max(...entries.map(([text]) => text.length));
  return entries.map(([text, what]) => `  ${text.padStart(width)}  ${printable(what)}\n`).join('');
}

function shown(value: number | string | boolean): string {
  return typeof value === 'number' ? number(value) : String(value);
}

function signed(value: number): string {
  return value > 0 ? `+${number(value)}` : number(value);
}

/** Returns the first line of an explained row. */
export function explainedRow(row: number): string {
  return `row ${count(row)}: `;
}
