import { type ErrorCode, HalfspaceError } from 'halfspace';
import { chooseClasses, listed, readColumns } from 'halfspace/tables';
import { columnOptions } from './column-options.ts';
import type { Table } from './dataset.ts';
import { formatOf, inSentences, openText, type ReadOptions, sentence } from './table-text.ts';

type Columns = Exclude<Awaited<ReturnType<typeof readColumns>>, { fault: unknown }>;
type CellFault = Extract<Awaited<ReturnType<typeof readColumns>>, { fault: unknown }>['fault'];

/** A dataset after reading: cells, but no features yet. */
export interface ReadTable extends Omit<Columns, 'words'>, Partial<Pick<Columns, 'words'>> {
  /** By the file's name, as in the command. */
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson';
  /** True if the first line holds the names; null: objects have names. */
  readonly header: boolean | null;
  readonly positive: string | null;
  readonly scale: 'none' | 'standard';
  /** True for drawn points: all columns are numbers, and no cell is missing. */
  readonly isDrawn?: boolean;
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
  const read = await inSentences(() =>
    readColumns(opened, {
      label: table.label,
      features: { columns: columnOptions(table, names) },
      missing: wanted.missing,
    }),
  );
  if ('fault' in read) throw new HalfspaceError(...sentenceOf(read.fault));
  if (read.columns.length === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is no column to learn from: choose at least one besides the label.',
    );
  if (read.rows === 0)
    throw new HalfspaceError(
      'source-empty',
      'There is a line of names, but no row below it. Give a row for each example.',
    );
  const ofText = [...opened.notes, ...(opened.lateNotes?.() ?? [])];
  const notes = [...ofText, ...read.notes.map(withoutFlag)].map(sentence);
  return {
    ...read,
    format: formatOf(table.name),
    header: opened.header,
    positive: table.positive ?? firstOfMany(table.label, read.label.counts, notes),
    scale: table.scale,
    notes,
  };
}

/** Removes the flag of the command at the end of a note. */
function withoutFlag(note: string): string {
  return note.replace(/ \(--.*\)$/s, '');
}

function sentenceOf({ row, field, expected, value }: CellFault): [ErrorCode, string] {
  const text = String(value ?? '');
  if (expected === null) {
    const found = text.trim() === '' ? 'nothing' : `“${text.trim()}”, which counts as missing,`;
    return [
      'label-missing',
      `Row ${row + 1} has ${found} in the column to predict, “${field}”. Fill it in, or remove the row.`,
    ];
  }
  const shown = text.length > 30 ? `${text.slice(0, 30)}…` : text;
  return [
    'number-invalid',
    `Row ${row + 1} has “${shown.trim()}” in column “${field}”, where ${expected} is expected. Correct or empty that cell, or leave the column out.`,
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
