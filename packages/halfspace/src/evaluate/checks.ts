import { HalfspaceError, quote } from '../errors.ts';
import { checkOption } from '../rules/rule-options.ts';

/** @throws HalfspaceError `number-invalid` for a value outside [0, 1]. */
export function checkProbabilities(probabilities: Float64Array): void {
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i]!;
    if (!(p >= 0 && p <= 1))
      throw new HalfspaceError('number-invalid', `expected a probability in [0, 1]; got ${quote(p)}`, { row: i + 1 });
  }
}

/** @throws HalfspaceError `number-invalid` for a value that is infinite or not a number. */
export function checkFiniteScores(scores: Float64Array): void {
  for (let i = 0; i < scores.length; i++)
    if (!Number.isFinite(scores[i]!))
      throw new HalfspaceError('number-invalid', `expected a finite score; got ${quote(scores[i])}`, { row: i + 1 });
}

/** @throws HalfspaceError `option-invalid` unless `value` is a whole number of at least `least`. */
export function checkWhole(name: string, value: number, least: number): void {
  checkOption(name, { kind: 'number', whole: true, from: least }, value);
}
