import { categoryRow } from './category/row.ts';
import { type ColumnRow, type Put, unseen } from './column-row.ts';
import { pairFeature } from './cross/pair.ts';
import { dateRow } from './date/row.ts';
import { intervalRow, numericRow } from './number/row.ts';
import { fieldAt, fieldsOf, structuresIn, valueBeside } from './record.ts';
import { keepsWords, type ReadWord, unlessMissing } from './table-cell.ts';
import {
  type CellForm,
  type ColumnKind,
  cellForm,
  columnsByName,
  columnWidth,
  crossWidth,
  isDense,
  type MeasuredColumn,
  type MeasuredKind,
  type TableColumn,
  type TableEncoding,
} from './table-encoding.ts';

/** Makes the encoder of single fields of a column. @param read reads text that is not written plainly. */
type MakeRow<C> = (column: C, first: number, standardize: boolean, read?: ReadWord) => ColumnRow;

/** Make the encoder of single fields of a column, by its kind, and the reader of a form of cells. */
export type ColumnRows = {
  readonly [K in ColumnKind]: MakeRow<Extract<TableColumn, { kind: K }>>;
} & { readonly form: (kind: MeasuredKind, form: CellForm) => ReadWord };

/** The kinds of columns whose cells have one value each, with cells that are written plainly. */
export const plainRows: Omit<ColumnRows, 'text' | 'set' | 'form'> = {
  number: measuredRow,
  boolean: measuredRow,
  date: measuredRow,
  category: categoryRow,
};

function measuredRow(column: MeasuredColumn, first: number, standardize: boolean, read?: ReadWord): ColumnRow {
  if ('parts' in column) return dateRow(column, first, standardize, read);
  return 'edges' in column ? intervalRow(column, first, read) : numericRow(column, first, standardize, read);
}

/** A column of the table and its features. */
interface Range {
  readonly at: number;
  readonly first: number;
  readonly width: number;
}

/**
 * Passes the features of a row to `put`, indices rising: all features of a dense row, the nonzero ones of a sparse row.
 * Fields are read like the cells of a text table. A field that is absent, null or undefined is missing. Unknown fields
 * are ignored.
 *
 * @returns the number of fields with a category that was not seen in training.
 * @throws HalfspaceError `number-invalid`, `row-malformed` with the field; `row-malformed` if `row` is not an object of
 *   fields. Features before the refused field have been passed by then.
 */
export type RowEncoder = (row: unknown, put: Put) => number;

/** Creates a {@link RowEncoder}. */
export function rowEncoder(encoding: TableEncoding, kinds: ColumnRows): RowEncoder {
  const { columns, crosses = [], scale, missing } = encoding;
  const structures = structuresIn(columns.map(({ name }) => name));
  const isBeside = columns.map(({ name }) => structures.has(name));
  const kept = columns.map(({ name }) => keepsWords(encoding, name));
  const dense = isDense(encoding);
  const ranges = new Map<string, Range>();
  let first = 0;
  const encoders = columns.map((column, at) => {
    const { kind, name } = column;
    const form = cellForm(column);
    const read = form && kinds.form(kind as MeasuredKind, form);
    const encode = (kinds[kind] as MakeRow<TableColumn>)(column, first, scale === 'standard', read);
    const width = columnWidth(column);
    ranges.set(name, { at, first, width });
    first += width;
    return { name, encode };
  });
  const all = columnsByName(columns);
  const pairs = crosses.map((cross) => {
    const [a, b] = cross.columns.map((name) => ranges.get(name)!) as [Range, Range];
    const featureOf = pairFeature(a, b, cross, first);
    first += crossWidth(cross, all);
    return { a: a.at, b: b.at, featureOf };
  });
  /** The features of the row's one-hot columns. */
  const found = new Int32Array(columns.length);
  return (row, put) => {
    const fields = fieldsOf(row);
    const nonzero: Put = dense
      ? put
      : (index, value) => {
          if (value !== 0) put(index, value);
        };
    let unknown = 0;
    for (let c = 0; c < encoders.length; c++) {
      const { name, encode } = encoders[c]!;
      const value = isBeside[c] ? valueBeside(fieldAt(fields, name)) : fieldAt(fields, name);
      found[c] = encode(unlessMissing(value, missing, kept[c]), nonzero);
      if (found[c] === unseen) unknown++;
    }
    for (const { a, b, featureOf } of pairs) {
      const feature = featureOf(found[a]!, found[b]!);
      if (feature >= 0) put(feature, 1);
    }
    return unknown;
  };
}
