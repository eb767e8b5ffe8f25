import { HalfspaceError, quote } from '../errors.ts';
import { wordReader } from '../features/cell-forms.ts';
import { type ColumnOptions, checkColumnNames, type FeatureOptions } from '../features/feature-options.ts';
import { suggestion } from '../features/nearest.ts';
import { cellText, keepsWords, type MissingCells } from '../features/table-cell.ts';
import {
  type CellForm,
  type ColumnKind,
  cellForm,
  comesAsWords,
  compareCodePoints,
  type LeftOutColumn,
  type TableColumn,
} from '../features/table-encoding.ts';
import type { ColumnHints, ReadAs } from './kinds.ts';
import { listed } from './listed.ts';
import { isListed, isReadable, type SourceColumn, type SourceType, type Table, type Wanted } from './table.ts';
import type { WordList } from './words.ts';

/** A column that becomes features. */
interface Candidate {
  readonly name: string;
  /** The requested kind, or the kind that its type implies; null: its cells determine the kind. */
  readonly kind: ColumnKind | null;
  /** True if its declared type is text: its cells determine only if it is text or a category. */
  readonly isText: boolean;
  readonly options: ColumnOptions;
  /** True if semicolons separate the cells of its tables. */
  readonly semicolons: boolean;
  /** The name by which it may be an identifier; empty if it has none. Null: it has options, and is no identifier. */
  readonly suspected: string | null;
}

export interface ChosenColumns extends MissingCells {
  readonly label: string;
  /** True: nobody named the label; it is the last column. */
  readonly isGuessed: boolean;
  readonly candidates: readonly Candidate[];
  readonly leftOut: readonly LeftOutColumn[];
  readonly notes: readonly string[];
  /** True if the rows have weights. Default false. */
  readonly isWeighted?: boolean | undefined;
}

/** Returns the words and names in the form of an encoding; undefined: there are none. */
function missingCells({ missing = [], notMissing }: MissingCells): MissingCells {
  // The usual words are listed only where they are not missing by themselves.
  const words = missing
    .map((word) => word.trim())
    .filter((word) => notMissing !== undefined || cellText(word) !== null);
  return { missing: sorted(words), notMissing: notMissing === true ? true : sorted(notMissing ?? []) };
}

/** Returns what the words of `--missing` say: further words, `none`, and `COLUMN=none`. */
export function saidMissing(given: readonly string[] = []): MissingCells {
  const columns = given.flatMap((word) => /^(.+)=none$/s.exec(word)?.[1] ?? []);
  const missing = given.filter((word) => word !== 'none' && !word.endsWith('=none'));
  return { missing, notMissing: given.includes('none') ? true : columns.length > 0 ? columns : undefined };
}

function sorted(names: readonly string[]): readonly string[] | undefined {
  return names.length === 0 ? undefined : [...new Set(names)].sort(compareCodePoints);
}

/** Usual names of label columns, the most likely first. */
const labelNames = ['label', 'class', 'target', 'y'];

/** Returns the column that is named like a label, in any case; null: there is none. */
export function labelByName(names: readonly string[]): string | null {
  for (const wanted of labelNames) {
    const found = names.find((name) => name.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

interface ColumnsOptions extends MissingCells {
  /** Name of the label column. Default: label, class, target or y in any case, else the last column. */
  readonly label?: string | undefined;
  /** Options of columns. */
  readonly features?: FeatureOptions | undefined;
  /** Name of the column with the weights, which the tables no longer have. Default: none. */
  readonly weight?: string | undefined;
}

/**
 * Chooses the label column and the candidates for features.
 *
 * @throws HalfspaceError `column-unknown`.
 */
export function chooseColumns(
  tables: readonly Table[],
  { label, features = {}, weight, missing, notMissing }: ColumnsOptions,
): ChosenColumns {
  const columns = new Map<string, SourceColumn>();
  for (const table of tables)
    for (const column of table.columns) if (!columns.has(column.name)) columns.set(column.name, column);
  const names = [...columns.keys()];
  const notes: string[] = [];
  if (names.length === 0)
    throw new HalfspaceError('source-empty', 'expected columns; got none', { source: tables[0]!.name });
  const named = label ?? labelByName(names);
  const chosen = named ?? names.at(-1)!;
  if (named === null)
    notes.push(`the last column, ${chosen}, is taken for the label; label names another (--label of the command)`);
  if (chosen === weight)
    throw new HalfspaceError(
      'option-invalid',
      `expected another column of weights than the label; got ${quote(weight)}`,
    );
  for (const name of notMissing === true ? [] : (notMissing ?? [])) namedColumn(tables[0]!, name);
  for (const table of tables) labelColumn(table, chosen);

  const candidates: Candidate[] = [];
  const leftOut: LeftOutColumn[] = weight === undefined ? [] : [{ name: weight, reason: 'weight' }];
  const semicolons = tables.every((table) => table.semicolons === true);
  const wanted = new Map(Object.entries(features.columns ?? {}));
  checkLabelOptions(chosen, wanted.get(chosen));
  wanted.delete(chosen);
  checkColumnNames(
    { ...features, columns: Object.fromEntries(wanted) },
    names.filter((name) => name !== chosen),
  );
  for (const column of columns.values()) {
    const { name, type, position, declared = {} } = column;
    if (name === chosen) continue;
    const options = wanted.get(name) ?? declared;
    if (options.kind === 'drop') leftOut.push({ name, reason: 'dropped' });
    else if (type === 'nested' || type === 'unsupported') leftOut.push({ name, reason: type });
    else if (isListed(column) && (options.kind ?? (type === 'texts' ? 'set' : null)) !== 'set')
      leftOut.push({ name, reason: 'nested' });
    else {
      const isNameless = position === 0 && name === 'column0' && tables[0]!.header === true;
      const suspected = Object.keys(wanted.get(name) ?? {}).length > 0 ? null : isNameless ? '' : name;
      const kind = options.kind ?? kindOfType[type];
      candidates.push({ name, kind, isText: type === 'text', options, semicolons, suspected });
    }
  }
  return {
    ...{ label: chosen, isGuessed: named === null, candidates, leftOut, notes, isWeighted: weight !== undefined },
    ...missingCells({ missing, notMissing }),
  };
}

/** Allows only the kind that labels have. @throws HalfspaceError `option-invalid`. */
function checkLabelOptions(label: string, options: ColumnOptions | undefined): void {
  if (options === undefined || (options.kind === 'category' && Object.keys(options).length === 1)) return;
  throw new HalfspaceError(
    'option-invalid',
    `expected the kind category or none for the label column ${quote(label)}, whose classes are its texts; got ${quote(options.kind ?? Object.keys(options))}; positive: ">= 20" makes two classes of numbers (--positive '>= 20'), joinLabels joins texts (--join-labels)`,
  );
}

/**
 * Checks that tables to train on have the same columns, in any order. A column that a file lacks would be a mistake in
 * most folders of files, and would be learned as missing values.
 *
 * @throws HalfspaceError `column-unknown` for the first table that differs from the first one.
 */
export function checkSameColumns(tables: readonly Table[]): void {
  const [first, ...others] = tables;
  if (first === undefined) return;
  const expected = namesOf(first);
  for (const table of others) {
    const found = namesOf(table);
    const lacking = [...expected].filter((name) => !found.has(name));
    const more = [...found].filter((name) => !expected.has(name));
    if (lacking.length === 0 && more.length === 0) continue;
    const parts = [
      ...(lacking.length > 0 ? [`no ${listed(lacking, mostDiffering)}`] : []),
      ...(more.length > 0 ? [`${listed(more, mostDiffering)} besides`] : []),
    ];
    const isHeadless = lacking.length === expected.size && table.header === true;
    throw new HalfspaceError(
      'column-unknown',
      `expected the same columns as in ${first.name}; got ${parts.join(', and ')}${isHeadless ? ' (is the first line a header?)' : ''}`,
      { source: table.name },
    );
  }
}

/** Maximum number of columns that the message on a difference lists. */
const mostDiffering = 6;

function namesOf({ columns }: Table): ReadonlySet<string> {
  return new Set(columns.map(({ name }) => name));
}

const kindOfType: Readonly<Record<Exclude<SourceType, 'nested' | 'unsupported'>, ColumnKind | null>> = {
  cell: null,
  text: null,
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'date',
  texts: 'set',
  numbers: 'set',
};

/** Returns a column of a table. @throws HalfspaceError `column-unknown`, with the nearest name. */
export function namedColumn(table: Table, wanted: string): SourceColumn {
  const column = table.columns.find(({ name }) => name === wanted);
  if (column !== undefined) return column;
  const names = table.columns.map(({ name }) => name);
  const advice = suggestion(wanted, names);
  throw new HalfspaceError('column-unknown', `expected a column ${quote(wanted)}; got ${listed(names)}${advice}`, {
    source: table.name,
  });
}

/** Returns the label column of a table. @throws HalfspaceError `column-unknown`; `label-classes` for a nested one. */
export function labelColumn(table: Table, label: string): SourceColumn {
  const column = namedColumn(table, label);
  if (!isReadable(column) || isListed(column))
    throw new HalfspaceError('label-classes', 'expected a column of classes; got one of lists, structures or bytes', {
      source: table.name,
      field: label,
    });
  return column;
}

/** Returns a request for each named column of a table; a column that is absent or cannot be read reads as missing. */
export function wantedColumns(
  table: Table,
  names: readonly string[],
  readAs: (column: number) => Pick<Wanted, 'kind' | 'read'>,
  lists: readonly WordList[],
  cells: MissingCells = {},
): Wanted[] {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return names.map((name, c) => {
    const column = columns.get(name);
    const readable = column !== undefined && isReadable(column) ? column : null;
    return { ...readAs(c), column: readable, list: lists[c]!, missing: cells.missing, keeps: keepsWords(cells, name) };
  });
}

/** Returns what is known about the cells of a column before they are read. */
export function hintsOf({ name, kind, options: { decimal, format, separator }, semicolons }: Candidate): ColumnHints {
  return { name, decimal, format, separator, semicolons, isDate: kind === 'date' };
}

/** Returns the request for cells of a kind that are written in this form. */
export function wantedCells({ kind, form }: ReadAs): Pick<Wanted, 'kind' | 'read'> {
  if (form === undefined || comesAsWords(kind)) return { kind };
  return { kind, read: wordReader(kind, form as CellForm) };
}

/** Returns the same for a column of a model. */
export function cellsOfModel(column: TableColumn): Pick<Wanted, 'kind' | 'read'> {
  return wantedCells({ kind: column.kind, form: cellForm(column) });
}

/** Returns a request for the labels of a table. @throws HalfspaceError as {@link labelColumn}. */
export function wantedLabel(table: Table, label: string, list: WordList, cells: MissingCells = {}): Wanted {
  return {
    column: labelColumn(table, label),
    kind: 'category',
    list,
    missing: cells.missing,
    keeps: keepsWords(cells, label),
  };
}
