import { HalfspaceError, quote } from '../errors.ts';
import { numberCell } from './table-cell.ts';
import { compareCodePoints, type LabelThreshold, type TableLabel } from './table-encoding.ts';

/** The comparison that holds for all numbers for which the other does not. */
const opposite = { '>=': '<', '>': '<=', '<=': '>', '<': '>=' } as const;
const comparison = /^(>=|<=|>|<)(.*)$/s;

/** Returns the comparison of a positive class such as `>= 20`; null for the name of a class. */
export function parseThreshold(positive: string): LabelThreshold | null {
  const [, operator, number = ''] = comparison.exec(positive.trim()) ?? [];
  const value = numberCell(number) + 0;
  return operator !== undefined && Number.isFinite(value)
    ? { operator: operator as LabelThreshold['operator'], value }
    : null;
}

/** Returns the names of the classes of numbers for which a comparison holds, and does not. */
export function thresholdClasses({ operator, value }: LabelThreshold): { positive: string; negative: string } {
  return { positive: `${operator} ${value}`, negative: `${opposite[operator]} ${value}` };
}

/** Tests if a comparison holds for a number. */
export function holds({ operator, value }: LabelThreshold, number: number): boolean {
  switch (operator) {
    case '>=':
      return number >= value;
    case '>':
      return number > value;
    case '<=':
      return number <= value;
    default:
      return number < value;
  }
}

/**
 * Returns the label of numbers that are compared with a threshold.
 * @throws HalfspaceError `option-invalid` for words; `label-classes` if all numbers are on one side.
 */
export function thresholdLabel(column: string, values: readonly string[], threshold: LabelThreshold): TableLabel {
  const { positive, negative } = thresholdClasses(threshold);
  const word = values.find((text) => !Number.isFinite(numberCell(text)));
  if (word !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `expected the positive class ${positive} to compare numbers; got ${quote(word)} among the labels`,
      { field: column },
    );
  const numbers = values.map((text) => numberCell(text));
  const count = numbers.filter((number) => holds(threshold, number)).length;
  if (count === 0 || count === numbers.length) {
    const [least, most] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
    throw new HalfspaceError(
      'label-classes',
      `expected numbers on both sides of ${positive}; got numbers from ${least} to ${most}`,
      { field: column },
    );
  }
  const classes = [positive, negative].sort(compareCodePoints);
  return { column, type: 'text', threshold, classes, positive, negative };
}

/** Returns the comparison that splits rows most evenly. @param counts rows by number, rising; at least two numbers. */
export function evenSplit(counts: readonly (readonly [number: number, rows: number])[]): string {
  const rows = counts.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  let best = counts[1]![0];
  let least = Number.POSITIVE_INFINITY;
  for (const [number, count] of counts) {
    const difference = Math.abs(rows - 2 * below);
    if (below > 0 && difference < least) {
      best = number;
      least = difference;
    }
    below += count;
  }
  return `>= ${best}`;
}
