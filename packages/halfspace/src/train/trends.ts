import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { type TableColumn, trendOf } from '../features/table-encoding.ts';
import { definitionOf, type RuleName } from '../rules/registry.ts';

/** Returns the first column whose score must rise or fall with its number. */
export function trendedColumn(encoding: FeatureEncoding): TableColumn | undefined {
  return encoding.kind === 'table' ? encoding.columns.find((column) => trendOf(column) !== undefined) : undefined;
}

/** @throws HalfspaceError `option-invalid` for such a column where a rule, or several classes, cannot keep it. */
export function checkTrends(encoding: FeatureEncoding, rule: RuleName, classes: number): void {
  const column = trendedColumn(encoding);
  if (column === undefined) return;
  const refuse = (expected: string, got: unknown) =>
    new HalfspaceError('option-invalid', `expected ${expected} for a ${trendOf(column)} number; got ${got}`, {
      field: column.name,
    });
  if (definitionOf(rule).minimises !== true) throw refuse('the rule logistic, without passes,', rule);
  if (classes > 2) throw refuse('two classes (positive makes two of them)', classes);
}
