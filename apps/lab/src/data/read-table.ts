import { type ColumnKind, type ErrorCode, HalfspaceError } from 'halfspace';
import {
  type CellFault,
  type ColumnCells,
  chooseClasses,
  chooseColumns,
  expectedCell,
  type Identity,
  type LeftOutColumn,
  leakNotes,
  listed,
  type ReadAs,
  readTables,
  saidMissing,
  similarNote,
  type TableEncoding,
  type WordCells,
} from 'halfspace/internal/tables';
import { columnOptions } from './column-options.ts';
import type { Table } from './dataset.ts';
import { MemoryColumns } from './memory-columns.ts';
import { formatOf, inSentences, openText, type ReadOptions, sentence } from './table-text.ts';

/** A dataset after reading: cells, but no features yet. */
export interface ReadTable {
  readonly rows: number;
  /** By the file's name, as in the command. */
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson';
  /** True if the first line holds the names; null: objects have names. */
  readonly header: boolean | null;
  /** Columns that may become features. */
  readonly columns: readonly ReadColumn[];
  /** Columns that the user left out. */
  readonly dropped: readonly LeftOutColumn[];
  readonly label: { readonly column: string; readonly cells: WordCells; readonly counts: ReadonlyMap<string, number> };
  readonly positive: string | null;
  readonly scale: 'none' | 'standard';
  /** Words that are missing values, or are none. Absent: the usual ones. */
  readonly words?: Pick<TableEncoding, 'missing' | 'notMissing'>;
  readonly notes: readonly string[];
  /** True for drawn points: all columns are numbers, and no cell is missing. */
  readonly isDrawn?: boolean;
}

export interface ReadColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The form in which the cells are written. Absent: the plain one. */
  readonly form?: ReadAs['form'];
  /** Null: the column has too many different words to be a category. */
  readonly cells: ColumnCells | null;
  /** Set if the column names the rows. */
  readonly identity?: Identity | undefined;
}

/**
 * Reads a table as `halfspace train` does: the same kinds of columns, the same doubles, the same classes.
 * @throws HalfspaceError with a message for the user.
 */
export async function readTable(table: Table, options: ReadOptions = {}): Promise<ReadTable> {
  const { reading: wanted = {} } = table;
  const opened = await openText(table.file ?? table.text, table.name, { ...options, reading: wanted });
  const names = opened.columns.map(({ name }) => name);
  if (!names.includes(table.label))
    throw new HalfspaceError(
      'column-unknown',
      `There is no column “${table.label}” to predict. Choose one of: ${listed(names)}.`,
    );
  const unknown = table.columns?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new HalfspaceError('column-unknown', `There is no column “${unknown}”. There are: ${listed(names)}.`);
  const chosen = chooseColumns([opened], {
    label: table.label,
    features: { columns: columnOptions(table, names) },
    ...saidMissing(wanted.missing),
  });
  if (chosen.candidates.length === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is no column to learn from: choose at least one besides the label.',
    );
  const begin = (readings: readonly ReadAs[]) =>
    new MemoryColumns(readings.map(({ kind }) => kind === 'text' || kind === 'set'));
  const { reading, sink } = await inSentences(() => readTables([opened], chosen, { tolerant: false }, begin));
  if (reading.fault !== null) throw new HalfspaceError(...sentenceOf(reading.fault));
  if (reading.rows === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is a line of names, but no row below it. Give a row for each example.',
    );
  const counts = reading.labelCounts();
  const similar = similarNote([...counts.keys()], counts, 'correct the table if they are one class');
  const identities = reading.identities();
  const left = new Set(identities.map(({ column }) => chosen.candidates[column]!.name));
  const leaks = leakNotes(reading.leaks((name) => !left.has(name)));
  const found = [...reading.notes(), ...leaks].map(withoutFlag);
  const late = opened.lateNotes?.() ?? [];
  const notes = [...opened.notes, ...late, ...found, ...(similar === null ? [] : [similar])].map(sentence);
  return {
    rows: reading.rows,
    format: formatOf(table.name),
    header: opened.header,
    columns: chosen.candidates.map(({ name }, c) => ({
      name,
      ...reading.readings[c]!,
      cells: sink.cells(c),
      identity: identities.find(({ column }) => column === c),
    })),
    dropped: chosen.leftOut,
    label: { column: table.label, cells: sink.label, counts },
    positive: table.positive ?? firstOfMany(table.label, counts, notes),
    scale: table.scale,
    words: {
      ...(chosen.missing === undefined ? {} : { missing: chosen.missing }),
      ...(chosen.notMissing === undefined ? {} : { notMissing: chosen.notMissing }),
    },
    notes,
  };
}

/** Removes the flag of the command at the end of a note. */
function withoutFlag(note: string): string {
  return note.replace(/ \(--.*\)$/s, '');
}

function sentenceOf({ row, field, kind, form, cell, value }: CellFault): [ErrorCode, string] {
  const text = String(value ?? '');
  if (kind === null) {
    const found = text.trim() === '' ? 'nothing' : `“${text.trim()}”, which counts as missing,`;
    return [
      'label-missing',
      `Row ${row + 1} has ${found} in the column to predict, “${field}”. Fill it in, or remove the row.`,
    ];
  }
  const shown = text.length > 30 ? `${text.slice(0, 30)}…` : text;
  return [
    'number-invalid',
    `Row ${row + 1} has “${shown.trim()}” in column “${field}”, where ${expectedCell(kind, cell, form)} is expected. Correct or empty that cell, or leave the column out.`,
  ];
}

/**
 * Returns the first of three and more classes, which the lab learns against the rest until the user chooses another;
 * null for two classes.
 */
function firstOfMany(label: string, counts: ReadonlyMap<string, number>, notes: string[]): string | null {
  if (counts.size < 2)
    throw new HalfspaceError(
      'label-classes',
      `Two classes are needed; the column “${label}” has ${counts.size === 0 ? 'none' : `only “${[...counts.keys()][0]}”`}. Add examples of another class, or choose another column to predict.`,
    );
  if (counts.size === 2) return null;
  let classes: readonly string[];
  try {
    ({ classes } = chooseClasses(label, counts));
  } catch {
    throw new HalfspaceError(
      'label-classes',
      `The column “${label}” has ${counts.size.toLocaleString('en')} different values, too many for classes. Choose another column to predict, or one of its values as the positive class.`,
    );
  }
  if (classes.length < 3) return null;
  notes.push(
    `“${label}” has ${classes.length} classes: ${listed(classes)}. “${classes[0]}” is set against the others until you choose another.`,
  );
  return classes[0]!;
}
