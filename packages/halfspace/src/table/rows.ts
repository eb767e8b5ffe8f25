import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import { checkColumnNames, type FeatureOptions } from '../features/feature-options.ts';
import { type FitColumn, TableFitter } from '../features/fit-table.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import { fieldsOf } from '../features/record.ts';
import {
  booleanCell,
  cellText,
  dateCell,
  numberCell,
  refusedCell,
  valueCell,
  valueText,
} from '../features/table-cell.ts';
import type { TableChunk } from '../features/table-chunk.ts';
import type { LeftOutColumn, TableEncoding } from '../features/table-encoding.ts';
import { chooseClasses, classNames, labelNumber } from '../features/table-label.ts';
import { looksLikeText } from '../features/text/likeness.ts';
import { countWords } from '../features/text/tokens.ts';

/** Named fields: numbers, booleans, dates, text; null and undefined are missing values. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowsOptions {
  /** The field to predict. */
  readonly label: string;
  /** The class to set against the rest. Default: the larger or later of two; of more none, they are classes each. */
  readonly positive?: string | undefined;
  /** `standard` (default): numbers and dates become (x − mean) / deviation; `none`: they stay as they are. */
  readonly scale?: 'none' | 'standard' | undefined;
  /** How columns are to become features, where that is not left to the data. */
  readonly features?: FeatureOptions | undefined;
  /** Read the rows as this encoding says, which a model has, instead of fitting one. Then `label` may be left to it. */
  readonly encoding?: TableEncoding | undefined;
}

const rowsOptionNames: OptionNames<RowsOptions> = {
  label: true,
  positive: true,
  scale: true,
  features: true,
  encoding: true,
};

/**
 * Examples from plain objects. Text that is a number, true or false, or a date in every row is read as such; other text is a
 * category, or is read word by word where cells have several words and hardly ever repeat.
 *
 * @param rows read, never changed; all fields that occur in any of them are columns.
 * @throws HalfspaceError `source-empty`, `label-classes`, `option-invalid`, `column-unknown`; `number-invalid` and `row-malformed` with row,
 *   field and value, from `batches()` where an encoding is given; from `batches()`, `label-missing`.
 */
export function rowsSource(rows: readonly Row[], options: RowsOptions): ExampleSource {
  checkOptionNames(options, rowsOptionNames, 'rowsSource');
  if (rows.length === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source: 'rows' });
  rows.forEach(checkRow);
  const encoding = options.encoding ?? fit(rows, options);
  const encoder = new TableEncoder(encoding);
  const { label } = encoding;
  return {
    name: 'rows',
    classes: classNames(label),
    encoding: () => encoding,
    async *batches() {
      const labels = Float64Array.from(rows, (row, i) => {
        const text = textAt(row, i, label.column);
        const sign = labelNumber(label, text);
        if (sign === Infinity)
          throw new HalfspaceError('label-classes', `expected a class the model knows; got ${JSON.stringify(text)}`, {
            source: 'rows',
            row: i + 1,
            field: label.column,
          });
        return sign;
      });
      yield encoder.encodeColumns({ ...chunkOf(rows, encoding.columns), labels });
    },
  };
}

function fit(rows: readonly Row[], { label, positive, scale = 'standard', features = {} }: RowsOptions): TableEncoding {
  const counts = new Map<string, number>();
  rows.forEach((row, i) => {
    const text = textAt(row, i, label);
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  });
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  if (!names.has(label))
    throw new HalfspaceError(
      'column-unknown',
      `expected a field named ${quote(label)}; got ${quoteNames([...names])}`,
      { source: 'rows' },
    );
  names.delete(label);
  checkColumnNames(features, [...names]);
  const columns: FitColumn[] = [];
  const leftOut: LeftOutColumn[] = [];
  for (const name of names) {
    const wanted =
      features.columns !== undefined && Object.hasOwn(features.columns, name) ? features.columns[name]! : {};
    const kind = kindOf(rows.map((row) => own(row, name)));
    if (kind === 'nested') leftOut.push({ name, reason: 'nested' });
    else if (wanted.kind === 'drop') leftOut.push({ name, reason: 'dropped' });
    else columns.push({ name, kind: wanted.kind ?? kind, options: wanted });
  }
  const fitter = new TableFitter(columns, { crosses: features.crosses ?? [] });
  fitter.observe(chunkOf(rows, columns));
  return fitter.encoding({
    format: 'rows',
    header: null,
    scale,
    label: chooseClasses(label, counts, positive),
    leftOut,
  });
}

/** @throws HalfspaceError `row-malformed` for what is no object of fields. */
function checkRow(row: unknown, i: number): void {
  try {
    fieldsOf(row);
  } catch (error) {
    if (error instanceof HalfspaceError)
      throw new HalfspaceError(error.code, error.message, { source: 'rows', row: i + 1 });
    throw error;
  }
}

/** An inherited member, such as `constructor`, is no field. */
function own(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/** Where row i, from 0, is for messages. */
function place(i: number): { readonly source: string; readonly row: number } {
  return { source: 'rows', row: i + 1 };
}

function textAt(row: Row, i: number, name: string): string | null {
  return valueText(own(row, name), name, place(i));
}

function kindOf(values: readonly unknown[]): FitColumn['kind'] | 'nested' {
  const there = values.filter((value) => value != null && !(typeof value === 'string' && cellText(value) === null));
  const every = (holds: (value: unknown) => boolean) => there.every(holds);
  const text = (read: (word: string) => number) => (value: unknown) =>
    typeof value === 'string' && Number.isFinite(read(value));
  if (there.some((value) => typeof value === 'object' && !(value instanceof Date))) return 'nested';
  if (there.length === 0) return 'category';
  const numeric = text(numberCell);
  if (every((value) => typeof value === 'number' || typeof value === 'bigint' || numeric(value))) return 'number';
  const truth = text(booleanCell);
  if (every((value) => typeof value === 'boolean' || truth(value))) return 'boolean';
  const day = text(dateCell);
  if (every((value) => value instanceof Date || day(value))) return 'date';
  const texts = there.filter((value): value is string => typeof value === 'string');
  const tally = {
    cells: there.length,
    different: new Set(there).size,
    words: texts.reduce((sum, each) => sum + countWords(each), there.length - texts.length),
  };
  return looksLikeText(tally) ? 'text' : 'category';
}

function chunkOf(rows: readonly Row[], columns: readonly FitColumn[]): TableChunk {
  return {
    rows: rows.length,
    source: 'rows',
    firstRow: 0,
    columns: columns.map(({ name, kind }) => {
      if (kind !== 'category' && kind !== 'text')
        return Float64Array.from(rows, (row, i) => {
          const value = own(row, name);
          const cell = valueCell(kind, value);
          // Refused here, where the value is: what reads the cells knows only that they are refused.
          if (Math.abs(cell) === Infinity) throw refusedCell(kind, cell, value, { ...place(i), field: name });
          return cell;
        });
      const words: (string | null)[] = [];
      const known = new Map<string | null, number>();
      const codes = Uint32Array.from(rows, (row, i) => {
        const word = textAt(row, i, name);
        let code = known.get(word);
        if (code === undefined) {
          code = words.push(word) - 1;
          known.set(word, code);
        }
        return code;
      });
      return { codes, words };
    }),
  };
}
