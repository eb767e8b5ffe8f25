/** A small table as people have it, and the answers of a person who is asked how to read it. */
export interface NastyTable {
  readonly family: string;
  readonly name: string;
  /** The text, or its bytes if it is not UTF-8. */
  readonly text: string | Uint8Array;
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson';
  /** The same rows as one JSON object per line; null: the table is about its text. */
  readonly ndjson: string | null;
  readonly given: GivenOptions;
  readonly expected: ExpectedTable | ExpectedFault;
}

/** Options that a person gives with the table. */
export interface GivenOptions {
  /** Null: the label is to be found. */
  readonly label: string | null;
  readonly header?: boolean;
  readonly missing?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly comment?: string;
  readonly skipLines?: number;
  /** One value of the label against the rest. */
  readonly positive?: string;
}

export interface ExpectedTable {
  /** True if the first line has the names. */
  readonly header: boolean;
  readonly rows: number;
  readonly label: string;
  /** Rising; null: not asked. */
  readonly classes: readonly string[] | null;
  /** Every column but the label. */
  readonly columns: Readonly<Record<string, ExpectedColumn>>;
  /** Where a person would be unsure, a note says so. */
  readonly note?: RegExp;
}

/** The table cannot be read as it stands, and an error says why. */
export interface ExpectedFault {
  readonly fault: RegExp;
}

export type ExpectedColumn =
  | { readonly kind: 'date'; readonly values: readonly (number | null)[] }
  /** Words in place of numbers are kept. */
  | { readonly kind: 'number'; readonly values: readonly (number | string | null)[] }
  /** Two words for yes and no: booleans, or the numbers 1 and 0. */
  | { readonly kind: 'truth'; readonly values: readonly (0 | 1 | null)[] }
  | { readonly kind: 'category'; readonly values: readonly (string | null)[] }
  /** Several values in a cell; each of them once, joined by bars in the order of code points. */
  | { readonly kind: 'set'; readonly values: readonly (string | null)[] }
  /** A category or a text: a person would be content with both. */
  | { readonly kind: 'words' }
  | { readonly kind: 'text' }
  /** Of no use for a prediction. The reasons are all true. */
  | { readonly kind: 'left out'; readonly reasons: readonly string[] };

/** A column of a table, as text. */
export interface CorpusColumn {
  readonly name: string;
  readonly cells: readonly string[];
  readonly expected: ExpectedColumn;
}

/** Splits cells that are written with bars between them. */
export function cellsOf(cells: string | readonly string[]): readonly string[] {
  return typeof cells === 'string' ? cells.split('|').map((cell) => cell.trim()) : cells;
}

/** Returns the days from 1970-01-01 to a date, or to a time in UTC: `2022-08-01`, `2022-08-01T13:44:00`. */
export function day(date: string): number {
  const time = Date.parse(`${date}${date.includes('T') ? '' : 'T00:00:00'}Z`);
  if (Number.isNaN(time)) throw new RangeError(`no date: ${date}`);
  return time / 86_400_000;
}

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Writes rows of cells as delimited text. */
export function delimited(rows: readonly (readonly string[])[], delimiter = ',', end = '\n'): string {
  return rows.map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter) + end).join('');
}

const labels = 'a b b a b a a b b a a b b b a a b a b a'.split(' ');
const others = [2.5, 7.25, 1.75, 9.5, 3.25, 8.75, 4.5, 6.25, 0.5, 5.75];

export interface TableOptions {
  readonly delimiter?: string;
  readonly note?: RegExp;
  readonly given?: Partial<GivenOptions>;
  /** False: the same rows as JSON would be another table. */
  readonly ndjson?: boolean;
  /** The table is refused instead. */
  readonly fault?: RegExp;
}

/** Makes a table of columns, with a column of plain numbers and a label beside them. */
export function tableOf(
  family: string,
  name: string,
  columns: readonly CorpusColumn[],
  { delimiter = ',', note, given, ndjson = true, fault }: TableOptions = {},
): NastyTable {
  const rows = columns[0]!.cells.length;
  for (const { name: column, cells, expected } of columns)
    if (cells.length !== rows || ('values' in expected && expected.values.length !== rows))
      throw new RangeError(`${name}: column ${column} has not ${rows} cells and values`);
  const label = Array.from({ length: rows }, (_, i) => labels[i % labels.length]!);
  const other = Array.from({ length: rows }, (_, i) => others[i % others.length]! + i / 8);
  const names = [...columns.map((column) => column.name), 'other', 'y'];
  const lines = label.map((word, i) => [...columns.map(({ cells }) => cells[i]!), String(other[i]), word]);
  const objects = lines.map((cells) => Object.fromEntries(cells.map((cell, c) => [names[c]!, cell])));
  const expected: ExpectedTable = {
    header: true,
    rows,
    label: 'y',
    classes: ['a', 'b'],
    columns: {
      ...Object.fromEntries(columns.map((column) => [column.name, column.expected])),
      other: { kind: 'number', values: other },
    },
    ...(note === undefined ? {} : { note }),
  };
  return {
    family,
    name,
    text: delimited([names, ...lines], delimiter),
    format: delimiter === '\t' ? 'tsv' : 'csv',
    ndjson: ndjson ? objects.map((object) => `${JSON.stringify(object)}\n`).join('') : null,
    given: { label: 'y', ...given },
    expected: fault === undefined ? expected : { fault },
  };
}

/** Makes a table of text as it stands. The values of a column tell the number of rows, unless it is given. */
export function textTable(
  family: string,
  name: string,
  text: string | Uint8Array,
  expected: Pick<ExpectedTable, 'columns'> & Partial<ExpectedTable>,
  { tabs = false, ...given }: Partial<GivenOptions> & { readonly tabs?: boolean } = {},
): NastyTable {
  const rows = Object.values(expected.columns).map((column) => ('values' in column ? column.values.length : 0));
  return {
    family,
    name,
    text,
    format: tabs ? 'tsv' : 'csv',
    ndjson: null,
    given: { label: null, ...given },
    expected: { header: true, rows: Math.max(...rows), label: 'y', classes: ['a', 'b'], ...expected },
  };
}

/** Makes a table that cannot be read. */
export function faultyTable(
  family: string,
  name: string,
  text: string | Uint8Array,
  fault: RegExp,
  given: Partial<GivenOptions> = {},
): NastyTable {
  return { family, name, text, format: 'csv', ndjson: null, given: { label: null, ...given }, expected: { fault } };
}

type Cells = string | readonly string[];

/** A column of numbers. @param values by default the cells themselves; null: missing. */
export function numbers(name: string, cells: Cells, values?: readonly (number | string | null)[]): CorpusColumn {
  const all = cellsOf(cells);
  return { name, cells: all, expected: { kind: 'number', values: values ?? all.map(Number) } };
}

/** A column of dates. @param values the dates, as ISO 8601 writes them, with bars between them; '': missing. */
export function dates(name: string, cells: Cells, values?: string): CorpusColumn {
  const all = cellsOf(cells);
  const expected = (values === undefined ? all : cellsOf(values)).map((value) => (value === '' ? null : day(value)));
  return { name, cells: all, expected: { kind: 'date', values: expected } };
}

/** A column of times of day. @param values hours. */
export function times(name: string, cells: Cells, values: readonly (number | null)[]): CorpusColumn {
  const days = values.map((hours) => (hours === null ? null : hours / 24));
  return { name, cells: cellsOf(cells), expected: { kind: 'date', values: days } };
}

/** A column of categories. @param missing the words that stand for no value. */
export function categories(name: string, cells: Cells, missing: readonly string[] = ['']): CorpusColumn {
  const all = cellsOf(cells);
  const values = all.map((cell) => (missing.includes(cell) ? null : cell));
  return { name, cells: all, expected: { kind: 'category', values } };
}

/** A column of yes and no. @param values 1, 0 and a point for no value. */
export function truths(name: string, cells: Cells, values: string): CorpusColumn {
  const bits = Array.from(values, (value) => (value === '.' ? null : value === '1' ? 1 : 0));
  return { name, cells: cellsOf(cells), expected: { kind: 'truth', values: bits } };
}

export function texts(name: string, cells: readonly string[]): CorpusColumn {
  return { name, cells, expected: { kind: 'text' } };
}

/** A column of no use. */
export function useless(name: string, cells: Cells, ...reasons: readonly string[]): CorpusColumn {
  return { name, cells: cellsOf(cells), expected: { kind: 'left out', reasons } };
}

/**
 * A column of sets.
 *
 * @param values of each cell.
 * @param write writes a cell; one without values is empty.
 */
export function sets(
  name: string,
  values: readonly (readonly string[])[],
  write: (values: readonly string[]) => string,
): CorpusColumn {
  return {
    name,
    cells: values.map((each) => (each.length === 0 ? '' : write(each))),
    expected: { kind: 'set', values: values.map((each) => (each.length === 0 ? null : joined(each))) },
  };
}

/** Returns the values of a set in one text. */
export function joined(values: readonly string[]): string {
  return [...new Set(values)].sort().join('|');
}

/** A column of categories or texts, whose cells have one value each. */
export function words(name: string, cells: readonly string[]): CorpusColumn {
  return { name, cells, expected: { kind: 'words' } };
}

/** Returns the functions that make tables, for the tables of a family. */
export const tablesOf = (family: string) => ({
  tableOf: (...given: Rest<typeof tableOf>) => tableOf(family, ...given),
  textTable: (...given: Rest<typeof textTable>) => textTable(family, ...given),
  faultyTable: (...given: Rest<typeof faultyTable>) => faultyTable(family, ...given),
});

type Rest<F extends (family: string, ...rest: never[]) => NastyTable> =
  Parameters<F> extends [string, ...infer Others] ? Others : never;
