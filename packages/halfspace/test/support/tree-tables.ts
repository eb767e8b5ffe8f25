import fc from 'fast-check';
import type { TreeColumn, TreeTable, TreeValues } from '../../src/model/tree/columns.ts';

/** Column kinds as letters: n for numbers, m for numbers of which some are missing, c for a category, d likewise. */
type Letter = 'n' | 'm' | 'c' | 'd';

/** Small tables with many equal values, equal rows of different classes, and missing values. */
export function tables({ missing = true, importance = true, most = 24 } = {}): fc.Arbitrary<TreeTable> {
  const letters = fc.array(fc.constantFrom<Letter>('n', 'c', ...(missing ? (['m', 'd'] as const) : [])), {
    minLength: 1,
    maxLength: 4,
  });
  return fc
    .record({ letters, rows: fc.integer({ min: 1, max: most }), classes: fc.integer({ min: 2, max: 4 }) })
    .chain(({ letters, rows, classes }) => {
      const list = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: rows, maxLength: rows });
      return fc
        .record({
          values: fc.tuple(...letters.map((letter) => list(cellOf(letter)))),
          labels: list(fc.nat(classes - 1)),
          importance: importance ? fc.option(list(fc.nat(3)), { nil: null }) : fc.constant(null),
        })
        .filter(({ importance }) => importance === null || importance.some((h) => h > 0))
        .map(
          ({ values, labels, importance }): TreeTable => ({
            rows,
            columns: letters.map(columnOf),
            values: letters.map((letter, c) => valuesOf(letter, values[c]!)),
            classes: ['a', 'b', 'c', 'd'].slice(0, classes),
            labels: Int32Array.from(labels),
            importance: importance && Float64Array.from(importance),
          }),
        );
    });
}

const levels = ['p', 'q', 'r', 's'];

function cellOf(letter: Letter): fc.Arbitrary<number> {
  const value = letter === 'n' || letter === 'm' ? fc.integer({ min: -3, max: 3 }) : fc.nat(levels.length - 1);
  const absent = letter === 'm' ? Number.NaN : -1;
  return letter === 'm' || letter === 'd' ? fc.oneof({ arbitrary: value, weight: 3 }, fc.constant(absent)) : value;
}

function columnOf(letter: Letter, c: number): TreeColumn {
  const name = `x${c}`;
  return letter === 'n' || letter === 'm' ? { kind: 'number', name } : { kind: 'category', name, levels };
}

function valuesOf(letter: Letter, values: readonly number[]): TreeValues {
  return letter === 'n' || letter === 'm' ? Float64Array.from(values) : Int32Array.from(values);
}

/** The rows at the given positions, in this order. */
export function pick(table: TreeTable, rows: readonly number[]): TreeTable {
  const values = table.values.map((column) =>
    column instanceof Float64Array
      ? Float64Array.from(rows, (i) => column[i]!)
      : Int32Array.from(rows, (i) => column[i]!),
  );
  return {
    ...table,
    rows: rows.length,
    values,
    labels: Int32Array.from(rows, (i) => table.labels[i]!),
    importance: table.importance && Float64Array.from(rows, (i) => table.importance![i]!),
  };
}

/** A table of numbers from rows; the last entry of each is the class. */
export function numbersTable(rows: readonly (readonly number[])[], classes: readonly string[]): TreeTable {
  const width = rows[0]!.length - 1;
  return {
    rows: rows.length,
    columns: Array.from({ length: width }, (_, c) => ({ kind: 'number', name: `x${c}` })),
    values: Array.from({ length: width }, (_, c) => Float64Array.from(rows, (row) => row[c]!)),
    classes,
    labels: Int32Array.from(rows, (row) => row[width]!),
    importance: null,
  };
}
