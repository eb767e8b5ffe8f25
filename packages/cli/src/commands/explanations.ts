import type { Model } from 'halfspace';
import { BatchExplainer, findClass } from 'halfspace/models';
import { printable } from 'halfspace/printable';
import { count, counted, number } from '../report/format.ts';
import { usage } from '../usage.ts';

/** An explanation without unknown fields: the columns of DATA are checked as a whole. */
export type ExplainedScore = ReturnType<BatchExplainer['explain']>;

/** Explains the scores of the rows of batches. @throws HalfspaceError `option-invalid` for models that do not fit. */
export function explainerOf(model: Model, most: number, of: string | undefined): BatchExplainer {
  if (model.kind !== 'linear' && model.kind !== 'multiclass')
    throw usage(
      `--explain is for linear models, whose score is a sum of terms; got a model of the rule ${model.rule}${model.kind === 'tree' ? ': halfspace inspect shows the tree' : ''}`,
    );
  if (of !== undefined && findClass(model.classes, of) === -1)
    throw usage(`expected --explain-class with one of ${model.classes.join(', ')}; got ${of}`);
  return new BatchExplainer(model, { most, class: of });
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
