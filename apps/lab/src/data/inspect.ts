import type { ColumnKind } from 'halfspace';
import { cellText, chooseClasses, chooseKind } from 'halfspace/internal';
import { WordReader } from './raw-column.ts';
import { layoutOf } from './read.ts';
import { readRecords, type TableText } from './table-text.ts';

/** What a table looks like before it is opened: of large files their first rows tell. */
export interface Inspection {
  readonly columns: readonly InspectedColumn[];
  /** The column that is likely to be predicted, as the command guesses it: label, class, target or y in any case, else the last. */
  readonly label: string;
  /** Whether that column's name says so; false: it is only the last. */
  readonly labelNamed: boolean;
  /** Rows that were looked at. */
  readonly rows: number;
  /** Whether these are all. */
  readonly whole: boolean;
  /** Whether the first line holds the names. */
  readonly header: boolean;
  /** What a person should know of how it is read, in sentences. */
  readonly notes: readonly string[];
}

export interface InspectedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Cells without a value. */
  readonly missing: number;
  /** Different values, at most {@link mostValues} of them, the most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** How many different values there are. */
  readonly different: number;
  /** The classes, in the command's order, where it can be predicted: two to a hundred or so; else null. */
  readonly classes: readonly string[] | null;
}

const mostValues = 100;
/** Cells that are looked at. */
const mostCells = 400_000;
const labelNames = ['label', 'class', 'target', 'y'];

/**
 * Looks at a table: its columns, what they hold, and which is likely the label.
 * @param name the file's name, whose ending tells tabs from commas.
 * @throws HalfspaceError with a sentence for a person, for what is no table.
 */
export async function inspectCsv(text: TableText, name = 'data.csv'): Promise<Inspection> {
  const layout = await layoutOf(text, name);
  const { names, present, notes } = layout.header;
  const limit = Math.max(100, Math.floor(mostCells / names.length));
  const readers = names.map(() => new WordReader());
  let rows = present ? -1 : 0;
  await readRecords(text, layout.dialect, {
    limit: limit + (present ? 1 : 0) + 1,
    onRecord(cells) {
      if (rows++ < 0 || rows > limit) return;
      for (let c = 0; c < names.length; c++) readers[c]!.add(cells[c] ?? '');
    },
  });
  const whole = rows <= limit;
  const likely = labelNames.flatMap((wanted) => names.find((each) => each.toLowerCase() === wanted) ?? []);
  return {
    columns: readers.map((reader, c) => columnOf(names[c]!, reader)),
    label: likely[0] ?? names.at(-1)!,
    labelNamed: likely.length > 0,
    rows: Math.max(0, Math.min(rows, limit)),
    whole,
    header: present,
    notes,
  };
}

function columnOf(name: string, reader: WordReader): InspectedColumn {
  const { words } = reader.cells();
  const counts = new Map<string, number>();
  let missing = 0;
  reader.counts().forEach((count, code) => {
    if (count === 0) return;
    const text = cellText(words[code]!);
    if (text === null) missing += count;
    else counts.set(text, (counts.get(text) ?? 0) + count);
  });
  let classes: readonly string[] | null = null;
  try {
    classes = chooseClasses(name, counts).classes;
  } catch {
    // One value, or too many: no classes.
  }
  const values = [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
  return {
    name,
    kind: chooseKind(reader.tally()),
    missing,
    values: values.slice(0, mostValues),
    different: counts.size,
    classes,
  };
}
