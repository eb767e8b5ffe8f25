import type { Label } from '../data/label.ts';
import { HalfspaceError } from '../errors.ts';
import { valueText } from '../features/table-cell.ts';
import { type Row, type RowPieces, type RowTable, scanRows } from './row-scan.ts';
import type { Table } from './table.ts';

/** A name for a label that is in no column. */
const derivedName = 'label';

/** Returns a name that is none of those given: `label`, `label_2`, … */
export function freeName(names: ReadonlySet<string>): string {
  let name = derivedName;
  for (let k = 2; names.has(name); k++) name = `${derivedName}_${k}`;
  return name;
}

/**
 * Adds a column with the class of each row to a table. A column of the same name is hidden.
 *
 * @param labelOf returns the class of a good row.
 */
export function withDerivedLabel(
  table: RowTable,
  name: string,
  labelOf: (row: Row) => Label | null | undefined,
): Table {
  const position = table.columns.length;
  const types = new Set<string>();
  const rows = (keepsText: boolean) =>
    labelledRows(table, table.rows(keepsText), name, (row) => {
      const label = labelOf(row);
      if (label !== null && label !== undefined) types.add(typeof label);
      return label;
    });
  return {
    ...table,
    valueTypes: (column) => (column.name === name ? types : (table.valueTypes?.(column) ?? ['string'])),
    columns: [...table.columns.filter((column) => column.name !== name), { name, type: 'cell', position }],
    scan: (wanted, label, options) => scanRows(() => rows(options.tolerant), wanted, label, options, table.isNumber),
  };
}

async function* labelledRows(
  table: RowTable,
  pieces: RowPieces,
  field: string,
  labelOf: (row: Row) => Label | null | undefined,
): RowPieces {
  const { columns, name: source } = table;
  let count = 0;
  for await (const rows of pieces)
    yield rows.map((row): Row => {
      count++;
      if (row.rejected !== null) return row;
      const label = labelOf(row);
      try {
        // A word such as NA is a class, or missing, as in a column.
        const text = typeof label === 'string' ? label : valueText(label, field, { source, row: count });
        const cells = columns.map((_, c) => row.cells[c] ?? null);
        cells.push(text);
        return { cells, rejected: null, text: row.text };
      } catch (error) {
        if (!(error instanceof HalfspaceError)) throw error;
        return { cells: [], rejected: () => ({ error, text: row.text ?? '' }), text: row.text };
      }
    });
}
