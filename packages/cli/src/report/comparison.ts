import type { Asked, Comparison, Difference } from '../consumers/comparison.ts';
import { count, counted, section } from './format.ts';

/** Returns the report of `export --check`. */
export function comparisonText(result: Comparison, data: string): string {
  const { consumer, rows, made, holds, otherClasses, firstClass, open, refused, firstRefusal, scores, probabilities } =
    result;
  const classes =
    firstClass === null
      ? 'classes equal'
      : `${counted(otherClasses, 'other class', 'other classes')}; first in ${nameOf(firstClass.row)}: ${firstClass.got} instead of ${firstClass.expected}`;
  return section('Check', [
    `${holds ? 'holds' : 'does not hold'} for ${counted(rows, 'row')} of ${data}${made === 0 ? '' : ` and ${counted(made, 'made row')}`}, asked in ${consumer}`,
    ...(firstRefusal === null
      ? []
      : [`${counted(refused, 'row')} refused; first ${nameOf(firstRefusal.row)}: ${firstRefusal.reason}`]),
    classes,
    ...(open === 0
      ? []
      : [`${counted(open, 'row')} with another class, whose highest scores differ by less than rounding`]),
    ...(scores === null ? ['scores are not told'] : [differenceText('scores', scores)]),
    ...(probabilities === null ? [] : [differenceText('probabilities', probabilities)]),
  ]);
}

const nameOf = (row: Asked) => (typeof row === 'number' ? `row ${count(row)}` : row);

function differenceText(what: string, { largest, row, bound, above }: Difference): string {
  if (largest === 0 && bound === 0) return `${what} equal, bit for bit`;
  const allowed = bound === 0 ? 'expected the same bits' : `rounding allows at most ${short(bound)}`;
  const difference =
    largest === 0 ? `${what} equal` : `largest difference of ${what}: ${short(largest)}, in ${nameOf(row)}`;
  return `${difference}; ${allowed}${above === 0 ? '' : `; ${counted(above, 'row')} above the bound`}`;
}

const short = (value: number) => String(Number(value.toPrecision(2)));

/** Returns the report for a program that nothing here can run. */
export function absentText(reason: string): string {
  return section('Check', [`not done: ${reason}`]);
}

/** Returns the report for a program that cannot be run. */
export function brokenText(reason: string): string {
  return section('Check', [`does not hold: ${reason}`]);
}
