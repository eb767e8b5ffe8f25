import type { ColumnKind } from 'halfspace';
import {
  chooseClasses,
  chooseKind,
  labelByName,
  type SourceColumn,
  tallyWords,
  WordCounts,
  WordList,
} from 'halfspace/internal/tables';
import { inSentences, openText, sentence, type TableText } from './table-text.ts';

/** A summary of the first rows of a table, made before it is opened. */
export interface Inspection {
  readonly columns: readonly InspectedColumn[];
  /** The likely label, as the command guesses it: label, class, target or y in any case, else the last column. */
  readonly label: string;
  /** True if the label was found by its name; false if it is only the last column. */
  readonly labelNamed: boolean;
  /** Number of rows that were read. */
  readonly rows: number;
  /** True if these are all rows. */
  readonly whole: boolean;
  /** True if the first line holds the names. */
  readonly header: boolean;
  /** Notes for the user about how the table is read, in sentences. */
  readonly notes: readonly string[];
}

export interface InspectedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Number of cells without a value. */
  readonly missing: number;
  /** Different values, at most {@link mostValues} of them, the most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** Number of different values. */
  readonly different: number;
  /** The classes, in the command's order, if the column can be a label: 2 to about 100; else null. */
  readonly classes: readonly string[] | null;
}

const mostValues = 100;
/** Maximum number of cells that are read. */
const mostCells = 400_000;

/**
 * Summarises a table: its columns, their kinds and values, and the likely label.
 * @param name the file's name; `.tsv` means tabs.
 * @throws HalfspaceError with a message for the user, if the text is no table.
 */
export async function inspectCsv(text: TableText, name = 'data.csv'): Promise<Inspection> {
  const table = await openText(text, name);
  const names = table.columns.map((column) => column.name);
  const limit = Math.max(100, Math.floor(mostCells / names.length));
  const lists = names.map(() => new WordList());
  const counts = names.map(() => new WordCounts());
  let rows = 0;
  await inSentences(async () => {
    const wanted = table.columns.map((column, c) => ({ column, kind: 'category' as const, list: lists[c]! }));
    const scan = table.scan(wanted, null, { tolerant: true, limit: limit + 1 });
    for await (const chunk of scan.chunks()) {
      chunk.columns.forEach((cells, c) => {
        counts[c]!.add(cells, Math.min(chunk.rows, limit - rows));
        if (lists[c]!.full) scan.skipWords(c);
      });
      rows += chunk.rows;
    }
  });
  const read = Math.min(rows, limit);
  const likely = labelByName(names);
  return {
    columns: table.columns.map((column, c) => columnOf(column, lists[c]!, counts[c]!, read)),
    label: likely ?? names.at(-1)!,
    labelNamed: likely !== null,
    rows: read,
    whole: rows <= limit,
    header: table.header === true,
    notes: table.notes.map(sentence),
  };
}

function columnOf(
  { name, declared }: SourceColumn,
  { words }: WordList,
  counts: WordCounts,
  rows: number,
): InspectedColumn {
  const found = counts.values(words);
  let classes: readonly string[] | null = null;
  try {
    classes = chooseClasses(name, found).classes;
  } catch {
    // One value, or too many: no classes.
  }
  const values = [...found].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
  return {
    name,
    kind: declared?.kind ?? chooseKind(tallyWords(words, counts.counts, { name })),
    missing: values.reduce((rest, { count }) => rest - count, rows),
    values: values.slice(0, mostValues),
    different: found.size,
    classes,
  };
}
