import {
  type ColumnKind,
  type ColumnOptions,
  checkColumnNames,
  type FeatureOptions,
  HalfspaceError,
  type LeftOutColumn,
  quote,
} from 'halfspace';
import type { Wanted } from './scan.ts';
import type { SourceColumn, SourceType } from './source-column.ts';
import type { Table } from './table.ts';
import type { WordList } from './words.ts';

/** A column that becomes a feature, before it is known how. */
export interface Candidate {
  readonly name: string;
  /** What was asked for, or what its type says; null: its cells must tell. */
  readonly kind: ColumnKind | null;
  /** Whether its type says that it is text, of which cells tell only whether it is a category. */
  readonly isText: boolean;
  readonly options: ColumnOptions;
}

export interface ChosenColumns {
  readonly label: string;
  readonly candidates: readonly Candidate[];
  readonly leftOut: readonly LeftOutColumn[];
  readonly notes: readonly string[];
}

/** Names of label columns, the surest first. */
const labelNames = ['label', 'class', 'target', 'y'];

/**
 * Which column is the label, and which are candidates for features.
 *
 * @param label the label's name; undefined: label, class, target or y in any case, else the last column.
 * @param features what is wanted of columns.
 * @throws HalfspaceError `column-unknown`.
 */
export function chooseColumns(
  tables: readonly Table[],
  label: string | undefined,
  features: FeatureOptions = {},
): ChosenColumns {
  const columns = new Map<string, SourceColumn>();
  for (const table of tables)
    for (const column of table.columns) if (!columns.has(column.name)) columns.set(column.name, column);
  const names = [...columns.keys()];
  const notes: string[] = [];
  const likely = labelNames.flatMap((wanted) => names.find((name) => name.toLowerCase() === wanted) ?? []);
  let chosen = label ?? likely[0];
  if (chosen === undefined) {
    chosen = names.at(-1)!;
    notes.push(`the last column, ${chosen}, is taken for the label; --label names another`);
  }
  for (const table of tables) labelColumn(table, chosen);

  const candidates: Candidate[] = [];
  const leftOut: LeftOutColumn[] = [];
  checkColumnNames(
    features,
    names.filter((name) => name !== chosen),
  );
  const wanted = new Map(Object.entries(features.columns ?? {}));
  for (const { name, type } of columns.values()) {
    if (name === chosen) continue;
    const options = wanted.get(name) ?? {};
    if (options.kind === 'drop') leftOut.push({ name, reason: 'dropped' });
    else if (type === 'nested' || type === 'unsupported') leftOut.push({ name, reason: type });
    else candidates.push({ name, kind: options.kind ?? kindOfType[type], isText: type === 'text', options });
  }
  return { label: chosen, candidates, leftOut, notes };
}

const kindOfType: Readonly<Record<Exclude<SourceType, 'nested' | 'unsupported'>, ColumnKind | null>> = {
  cell: null,
  text: null,
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  time: 'date',
};

/** The column of a table that has the labels. @throws HalfspaceError `column-unknown`, `label-classes` for a nested one. */
export function labelColumn(table: Table, label: string): SourceColumn {
  const column = table.columns.find(({ name }) => name === label);
  if (column === undefined)
    throw new HalfspaceError(
      'column-unknown',
      `expected a column ${quote(label)}; got ${listed(table.columns.map(({ name }) => name))}`,
      { source: table.name },
    );
  if (column.type === 'nested' || column.type === 'unsupported')
    throw new HalfspaceError('label-classes', 'expected a column of classes; got one of lists, structures or bytes', {
      source: table.name,
      field: label,
    });
  return column;
}

/** Names, the first of them when there are many. */
export function listed(names: readonly string[], most = 20): string {
  const some = names.slice(0, most).join(', ');
  return names.length > most ? `${some}, and ${names.length - most} more` : some;
}

/** The candidates as they are to be read from one of the tables. */
export function wantedColumns(
  table: Table,
  { candidates }: ChosenColumns,
  lists: readonly WordList[],
  kindOf: (candidate: number) => ColumnKind,
): Wanted[] {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return candidates.map(({ name }, c) => {
    const column = columns.get(name) ?? null;
    const usable = column !== null && column.type !== 'nested' && column.type !== 'unsupported';
    return { column: usable ? column : null, kind: kindOf(c), list: lists[c]! };
  });
}
