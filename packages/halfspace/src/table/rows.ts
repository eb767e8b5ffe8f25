import { createBreathe, stoppable } from '../data/breathe.ts';
import { storeOptions } from '../data/input/file-access.ts';
import { KeptBytes } from '../data/kept-bytes.ts';
import type { Label, LabelIn } from '../data/label.ts';
import type { ExampleSource, OpenSourceOptions, RawExample, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { fieldsOf, structuresIn } from '../features/record.ts';
import { readable, unreadable } from '../readable.ts';
import { BagEvidence, needsTable } from './bag-evidence.ts';
import { openBags } from './bag-source.ts';
import { freeName } from './derived-label.ts';
import { KeptRows, type RowPiece } from './kept-rows.ts';
import { FieldTypes, type Row, rowsTable } from './object-table.ts';
import { openTables } from './open.ts';
import { type RawTaker, rawTaker } from './raw-rows.ts';
import {
  checkTableOptions,
  type LabelOf,
  openingOptions,
  refuseWeight,
  type TableSourceOptions,
  tableEncoding,
  tableOptionNames,
} from './source-options.ts';
import { weightsOf, weightsOfModel } from './weights.ts';

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

const rowsOptionNames = [...tableOptionNames, ...optionNames<Omit<RowsOptions, keyof TableSourceOptions>>()('label')];

/**
 * Makes a source from plain objects: numbers, booleans, dates and text in named fields; null and undefined are missing
 * values. All fields that occur in any row are columns, whose kinds their values show as cells of text do. An object
 * that stands for a value, such as a decimal of a database, is read as this value; a field with a list or a structure
 * in any row is left out.
 *
 * @example
 * const people = [{ age: 16, city: 'Oslo' }, { age: 35, city: 'Lima' }];
 * const { model } = await train(rows(people, { label: (person) => person.age >= 18 }));
 *
 * @param objects never changed. A list is read where it is. Others are read when the source is opened, and a copy is
 *   kept: its beginning in memory, then in a temporary file where there are files. A generator can be opened once.
 * @throws HalfspaceError `option-invalid`. Opening and reading it throw, with row and field: `source-empty`,
 *   `row-malformed`, `number-invalid`, `label-missing`, `label-classes`, `column-unknown`.
 */
export function rows<T extends object, K extends FieldOf<T>>(
  objects: Iterable<T> | AsyncIterable<T>,
  options: RowsOptions<T> & { readonly label: K },
): Source<LabelIn<T[K]>>;
export function rows<T extends object, L extends Label>(
  objects: Iterable<T> | AsyncIterable<T>,
  options: RowsOptions<T> & { readonly label: LabelOf<T, L> },
): Source<L>;
export function rows<T extends object>(objects: Iterable<T> | AsyncIterable<T>, options?: RowsOptions<T>): Source;
export function rows<T extends object>(objects: Iterable<T> | AsyncIterable<T>, options: RowsOptions<T> = {}): Source {
  checkOptionNames(options, rowsOptionNames, 'rows');
  return sourceOf(objects, 'rows', options as CheckedOptions);
}

type CheckedOptions = TableSourceOptions & { readonly name?: string; readonly label?: string | LabelOf<Row> };

function sourceOf(
  objects: Iterable<unknown> | AsyncIterable<unknown>,
  kind: 'rows' | 'bags',
  options: CheckedOptions,
): Source {
  const { name = kind, label } = options;
  checkTableOptions(label, options);
  const read = reader(objects, name);
  const own = kind === 'bags' ? { ...options, isBag: true } : options;
  return {
    name,
    open: async (run) => openRows(read(), name, own, run),
    raw: (known, signal) => rawObjects(stoppable(read(), signal, name), rawTaker(name, label, options, known), name),
  };
}

/** Options of {@link bags}. */
export type BagsOptions<T extends object = Row> = Pick<RowsOptions<T>, 'name' | 'label' | 'positive'>;

const bagsOptionNames = optionNames<BagsOptions>()('name label positive');

/**
 * Makes a source from bags of features: plain objects with few of many names, such as the words of a text and how often
 * they occur. An absent name is 0. A name with a number is a feature; `true` is 1; text is the feature `name=text`; a
 * structure is a namespace, whose features are `name^field`. The model has named features, as of Vowpal Wabbit text.
 *
 * @example
 * const mails = [{ free: 2, money: 1, label: 'spam' }, { see: 1, you: 1, label: 'ham' }];
 * const { model } = await train(bags(mails), { rule: 'averaged' });
 * console.log(new Predictor(model).predict({ money: 3 })); // spam
 *
 * @param objects as of {@link rows}.
 * @throws HalfspaceError `option-invalid`. Opening and reading it throw, with the row: `source-empty`, `row-malformed`,
 *   `number-invalid`, `label-missing`, `label-classes`, `column-unknown`.
 */
export function bags<T extends object, K extends FieldOf<T>>(
  objects: Iterable<T> | AsyncIterable<T>,
  options: BagsOptions<T> & { readonly label: K },
): Source<LabelIn<T[K]>>;
export function bags<T extends object, L extends Label>(
  objects: Iterable<T> | AsyncIterable<T>,
  options: BagsOptions<T> & { readonly label: LabelOf<T, L> },
): Source<L>;
export function bags<T extends object>(objects: Iterable<T> | AsyncIterable<T>, options?: BagsOptions<T>): Source;
export function bags<T extends object>(objects: Iterable<T> | AsyncIterable<T>, options: BagsOptions<T> = {}): Source {
  checkOptionNames(options, bagsOptionNames, 'bags');
  return sourceOf(objects, 'bags', options as CheckedOptions);
}

async function* rawObjects(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  take: RawTaker,
  source: string,
): AsyncGenerator<RawExample> {
  let row = 0;
  for await (const each of items) {
    row++;
    yield atRow(() => take(fieldsOf(each) as Row, row), source, row);
  }
}

/** Returns a function that begins to read the items of an iterable. */
function reader(items: Iterable<unknown> | AsyncIterable<unknown>, source: string): () => typeof items {
  const isIterable = () =>
    typeof items === 'object' && items !== null && (Symbol.iterator in items || Symbol.asyncIterator in items);
  if (!readable('objects', isIterable, 'option-invalid'))
    throw new HalfspaceError('option-invalid', `expected an iterable of objects; got ${quote(items)}`);
  // A generator, or another iterator: it is its own iterator.
  const isOnce = 'next' in items || 'pipe' in items;
  let isRead = false;
  return () => {
    if (isOnce && isRead)
      throw new HalfspaceError(
        'source-unreadable',
        'expected rows that can be read again; got an iterator that was read already: pass an array',
        { source },
      );
    isRead = true;
    return items;
  };
}

async function openRows(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  name: string,
  {
    label,
    isBag = false,
    ...options
  }: TableSourceOptions & { readonly label?: string | LabelOf<Row>; readonly isBag?: boolean },
  run: OpenSourceOptions,
): Promise<ExampleSource> {
  const isNamed = run.encoding?.kind === 'named';
  if (isNamed) refuseWeight(options.weight);
  const encoding = isNamed || isBag ? undefined : tableEncoding(run, name);
  const opening = openingOptions(options, run);
  const cells = encoding ?? opening;
  const weights =
    encoding === undefined ? weightsOf(options.weight, opening.missing) : weightsOfModel(encoding, options.weight);
  const types = new FieldTypes(name, cells, weights?.name);
  const labelOf = typeof label === 'function' ? label : null;
  const evidence = new BagEvidence(labelOf === null ? (label as string | undefined) : null);
  const add = (item: unknown) => {
    const row = types.add(item);
    atRow(() => evidence.add(row), name, types.rows);
    return row;
  };
  const { signal } = run;
  const pieces = Array.isArray(items)
    ? await listed(items, add, labelOf, signal)
    : await kept(stoppable(items, signal, name), add, labelOf, name);
  if (types.rows === 0) throw new HalfspaceError('source-empty', 'expected rows; got none', { source: name });
  const note = isBag || isNamed || encoding !== undefined || needsTable(options) ? null : evidence.note(name);
  if (isBag || isNamed || note !== null) {
    const notes = note === null ? [] : [note];
    return openBags({ name, label: label as string | undefined, positive: options.positive, notes, pieces }, run);
  }
  const derived = labelOf === null ? null : (encoding?.label.column ?? freeName(types.names));
  const labelName = derived ?? (label as string | undefined);
  const structures = structuresIn(encoding?.columns.map((column) => column.name) ?? types.names);
  const table = rowsTable({ name, types, derived, structures, pieces });
  return openTables([table], name, { ...opening, format: 'rows', label: labelName, encoding });
}

/** Runs a call that reads a row, and adds the place to its errors. */
function atRow<T>(read: () => T, source: string, row: number): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error).at({ source, row });
  }
}

type Pieces = () => Iterable<RowPiece>;

/** Number of objects of a list that are labelled together. */
const labelledRows = 2048;

/** Reads the objects of a list where they are. */
async function listed(
  rows: readonly Row[],
  add: (item: unknown) => Row,
  labelOf: LabelOf<Row> | null,
  signal: AbortSignal | undefined,
): Promise<Pieces> {
  const breathe = createBreathe(signal, () => 'expected to read all rows; stopped before that');
  for (const [i, row] of rows.entries()) {
    if (signal !== undefined && i % labelledRows === 0) await breathe();
    add(row);
  }
  if (labelOf === null) return () => [{ rows, labels: null }];
  return function* () {
    for (let at = 0; at < rows.length; at += labelledRows) {
      const some = rows.slice(at, at + labelledRows);
      yield { rows: some, labels: some.map(labelOf) };
    }
  };
}

/** Reads all objects, and keeps a copy. */
async function kept(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  add: (item: unknown) => Row,
  labelOf: LabelOf<Row> | null,
  name: string,
): Promise<Pieces> {
  const rows = new KeptRows(new KeptBytes((await storeOptions()).spill, name));
  let count = 0;
  for await (const item of items) {
    const row = add(item);
    const label = labelOf === null ? undefined : (labelOf(row) ?? null);
    atRow(() => rows.append(row, label), name, ++count);
  }
  return () => rows.pieces();
}
