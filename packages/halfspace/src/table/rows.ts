import type { ExampleSource, OpenSourceOptions, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { chooseColumns, hintsOf, wantedColumns, wantedLabel } from './columns.ts';
import { freeName } from './derived-label.ts';
import { type FitResult, FittingSink, fitResult } from './fit.ts';
import { tableHoldout } from './held-out-rows.ts';
import { emptyTally } from './kinds.ts';
import { type Row, type RowsTable, rowsTable } from './object-table.ts';
import { missingOf, type OpenTablesOptions, openTables } from './open.ts';
import { TableReading } from './reading.ts';
import { TableSource } from './source.ts';
import {
  checkTableOptions,
  type LabelOf,
  openingOptions,
  type TableSourceOptions,
  tableEncoding,
  tableOptionNames,
} from './source-options.ts';
import { weightsOf, weightsOfModel, withWeights } from './weights.ts';
import { WordList } from './words.ts';

/** The names of the fields of a row. */
export type FieldOf<T> = keyof T & string;

/** Options of {@link rows}. */
export interface RowsOptions<T extends object = Row> extends Omit<TableSourceOptions, 'features'> {
  /**
   * The field to predict, or a function that returns the class of a row. The fields that a function reads stay
   * features, unless `features` drops them. The model knows the result of a function as a field `label`. Default: the
   * model's field; else label, class, target or y; else the last field, which a note says.
   */
  readonly label?: FieldOf<T> | LabelOf<T> | undefined;
  /** Options for the features. Default: determined by the values. */
  readonly features?: RowFeatures<FieldOf<T>> | undefined;
}

/** The same as `FeatureOptions`, for rows with these fields. */
export interface RowFeatures<F extends string> {
  readonly columns?: { readonly [K in F]?: ColumnOptions };
  readonly crosses?: readonly (readonly [first: F, second: F])[];
}

const rowsOptionNames: OptionNames<RowsOptions> = { ...tableOptionNames, label: true };

/**
 * Makes a source from plain objects: numbers, booleans, dates and text in named fields; null and undefined are missing
 * values. All fields that occur in any row are columns. Text that is a number, true or false, or a date in every row is
 * read as such. Other text is read word by word if it has several words and hardly ever repeats, else it is a category.
 *
 * @example
 * const people = [{ age: 16, city: 'Oslo' }, { age: 35, city: 'Lima' }];
 * const { model } = await train(rows(people, { label: (person) => person.age >= 18 }));
 *
 * @param objects never changed; collected in memory when the source is opened. A generator can be opened once.
 * @throws HalfspaceError `option-invalid`. Opening and reading it throw, with row and field: `source-empty`,
 *   `row-malformed`, `number-invalid`, `label-missing`, `label-classes`, `column-unknown`.
 */
export function rows<T extends object>(objects: Iterable<T> | AsyncIterable<T>, options: RowsOptions<T> = {}): Source {
  checkOptionNames(options, rowsOptionNames, 'rows');
  const checked = options as TableSourceOptions & { readonly label?: string | LabelOf<Row> };
  checkTableOptions(checked.label, checked);
  const { name = 'rows' } = options;
  const collect = collector(objects as Iterable<unknown> | AsyncIterable<unknown>, name);
  return { name, open: async (run) => openRows(await collect(), name, checked, run) };
}

/** Returns a function that collects the items of an iterable. */
function collector(items: Iterable<unknown> | AsyncIterable<unknown>, source: string): () => Promise<readonly Row[]> {
  if (typeof items !== 'object' || items === null || !(Symbol.iterator in items || Symbol.asyncIterator in items))
    throw new HalfspaceError('option-invalid', `expected an iterable of objects; got ${quote(items)}`);
  let isRead = false;
  return async () => {
    if (Array.isArray(items)) return items;
    // A generator, or another iterator: it is its own iterator.
    if ('next' in items || 'pipe' in items) {
      if (isRead)
        throw new HalfspaceError(
          'source-unreadable',
          'expected rows that can be read again; got an iterator that was read already: pass an array',
          { source },
        );
      isRead = true;
    }
    const list: Row[] = [];
    for await (const item of items) list.push(item as Row);
    return list;
  };
}

async function openRows(
  given: readonly Row[],
  name: string,
  { label, ...options }: TableSourceOptions & { readonly label?: string | LabelOf<Row> },
  run: OpenSourceOptions,
): Promise<ExampleSource> {
  const encoding = tableEncoding(run, name);
  if (given.length === 0) throw noRows(name);
  const isDerived = typeof label === 'function';
  const field = isDerived ? (encoding?.label.column ?? freeName(new Set(given.flatMap((row) => keysOf(row))))) : label;
  const list = isDerived ? given.map((row) => (isObject(row) ? { ...row, [field!]: label(row) } : row)) : given;
  const opening = openingOptions(options, run);
  if (encoding === undefined) return rowsSource(list, { ...opening, label: field, name });
  const opened = { ...opening, format: 'rows', label: field, encoding } as const;
  return openTables([rowsTable(list, name, encoding.missing)], name, opened);
}

function keysOf(row: unknown): string[] {
  return isObject(row) ? Object.keys(row) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function noRows(source: string): HalfspaceError {
  return new HalfspaceError('source-empty', 'expected rows; got none', { source });
}

/** Options of {@link rowsSource}. */
export interface OpenRowsOptions
  extends Pick<OpenTablesOptions, 'label' | 'positive' | 'scale' | 'features' | 'missing' | 'weight' | 'holdout'> {
  readonly encoding?: TableEncoding | undefined;
  /** Name for messages. Default `rows`. */
  readonly name?: string | undefined;
}

const openRowsNames: OptionNames<OpenRowsOptions> = {
  label: true,
  positive: true,
  scale: true,
  features: true,
  missing: true,
  weight: true,
  holdout: true,
  encoding: true,
  name: true,
};

/** Opens plain objects at once. @throws HalfspaceError as {@link rows}. */
export function rowsSource(given: readonly Row[], options: OpenRowsOptions): TableSource {
  checkOptionNames(options, openRowsNames, 'rowsSource');
  const { encoding, name = 'rows' } = options;
  if (given.length === 0) throw noRows(name);
  const missing = encoding === undefined ? missingOf(options.missing) : encoding.missing;
  const weights =
    encoding === undefined ? weightsOf(options.weight, missing) : weightsOfModel(encoding, options.weight);
  const table = withWeights(rowsTable(given, name, missing, weights?.name), weights);
  const read =
    encoding === undefined
      ? fit(table, options)
      : { ...noWords(encoding.columns.length), encoding, stored: null, notes: [], leaks: [] };
  const { column: label } = read.encoding.label;
  const isForModel = encoding !== undefined;
  return new TableSource({ ...read, name, tables: [table], format: 'rows', label, isForModel, reject: undefined });
}

function noWords(columns: number): Pick<FitResult, 'lists' | 'labelList'> {
  return { lists: Array.from({ length: columns }, () => new WordList()), labelList: new WordList() };
}

function fit(table: RowsTable, options: OpenRowsOptions): FitResult {
  const { positive, scale = 'standard', features = {}, holdout } = options;
  const chosen = { ...chooseColumns([table], options), missing: missingOf(options.missing) };
  const { candidates, missing } = chosen;
  const names = candidates.map((candidate) => candidate.name);
  const readings = candidates.map((candidate) => table.readAs(candidate.kind, hintsOf(candidate)));
  const { crosses = [] } = features;
  const fitting = { format: 'rows', header: null, scale, crosses, positive, tolerant: false } as const;
  const { lists: columns, labelList } = noWords(candidates.length);
  const lists = { columns, label: labelList };
  const held = tableHoldout(holdout, positive);
  const sink = new FittingSink(chosen, readings, fitting);
  const guesses = readings.map((readAs) => ({ readAs, isFinal: true }));
  const reading = new TableReading([table], chosen, guesses, lists, readings.map(emptyTally), sink, held);
  const wanted = wantedColumns(table, names, (c) => reading.cellsOf(c), columns, missing);
  const scan = table.scan(wanted, wantedLabel(table, chosen.label, labelList, missing), { tolerant: false });
  for (const chunk of scan.read()) reading.observe(table, chunk, scan);
  reading.checkOrders();
  const result = fitResult(table.name, chosen, fitting, { reading, lists, sink });
  return { ...result, notes: [...chosen.notes, ...result.notes] };
}
