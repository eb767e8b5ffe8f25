import { HalfspaceError } from 'halfspace';
import {
  type BlobTable,
  ColumnWatch,
  chooseClasses,
  inspected,
  labelByName,
  openTables,
  previewColumns,
  saidMissing,
} from 'halfspace/tables';
import { columnOptions } from './column-options.ts';
import type { Reading } from './dataset.ts';
import { formatOf, inSentences, openText, type TableText } from './table-text.ts';

type InspectedColumn = ReturnType<typeof inspected>[number];

/** A table to inspect. */
export interface Question {
  readonly text: TableText;
  /** The file's name; `.tsv` means tabs. */
  readonly name: string;
  /** The column to predict; null: the likely one. */
  readonly label: string | null;
  readonly reading?: Reading | undefined;
}

/** The first rows of a table as `halfspace inspect` shows them. */
export interface Inspection {
  readonly columns: readonly Column[];
  readonly label: string;
  /** Number of rows that were read. */
  readonly rows: number;
  /** True if these are all rows. */
  readonly whole: boolean;
  /** Words that may stand for a missing value: texts among numbers, and numbers such as −999. */
  readonly words: readonly { readonly text: string; readonly count: number }[];
  /** The form of delimited text; null: the table has another form. */
  readonly form: (NonNullable<BlobTable['layout']>['dialect'] & { readonly header: boolean }) | null;
}

/** A column; the kind of the label is `label`. */
export interface Column extends InspectedColumn {
  /** True if it is a number as a feature. */
  readonly isNumber: boolean;
  /** Different values, at most {@link mostValues} of them, the most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** The classes, in the command's order, if the column can be a label: 2 to about 100; else null. */
  readonly classes: readonly string[] | null;
}

const mostValues = 100;
/** Maximum number of cells that are read. */
const mostCells = 400_000;

/**
 * Inspects a table with the command's reader.
 * @throws HalfspaceError with a message for the user, if the text is no table or has no such column.
 */
export async function inspectTable({ text, name, label: given, reading = {} }: Question): Promise<Inspection> {
  const table = await openText(text, name, { reading });
  const names = table.columns.map((column) => column.name);
  if (given !== null && !names.includes(given))
    throw new HalfspaceError(
      'column-unknown',
      `${name} has no column “${given}”. It has ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.`,
    );
  const limit = Math.max(100, Math.floor(mostCells / names.length));
  const { rows, columns } = await inSentences(() => previewColumns(table, limit));
  const found = columns.map(valuesOf);
  const label = given ?? likelyLabel(found);
  const seen = await inSentences(async () => {
    let watch: ColumnWatch | null = null;
    const few: typeof table = {
      ...table,
      scan: (wanted, of, options) =>
        table.scan(wanted, of, { ...options, limit: Math.min(limit, options.limit ?? limit) }),
    };
    const source = await openTables([few], name, {
      ...{ format: formatOf(name), label, ...saidMissing(reading.missing) },
      features: { columns: columnOptions({ label, columns: null, reading }, names) },
      watch: (...columns) => (watch = new ColumnWatch(...columns)),
    });
    return inspected(source.encoding(), watch!.columns(), source.leaks, source.notes);
  });
  const { layout } = table;
  return {
    columns: found.map((column) => ({ ...(seen.find(({ name: each }) => each === column.name) ?? unread), ...column })),
    label,
    rows: Math.min(rows, limit),
    whole: rows <= limit,
    words: missingWords(found.filter(({ name }) => name !== label)),
    form: layout === undefined || layout.isTranslated ? null : { ...layout.dialect, header: table.header === true },
  };
}

/** The label is no feature. */
const unread: Omit<InspectedColumn, 'name'> = {
  ...{ kind: 'label', why: '', examples: [], missing: null, different: null },
  ...{ exact: true, leak: false, flags: [] },
};

type Valued = Pick<Column, 'name' | 'values' | 'classes' | 'isNumber'>;

function valuesOf({
  name,
  values: found,
  isNumber,
}: Awaited<ReturnType<typeof previewColumns>>['columns'][number]): Valued {
  let classes: readonly string[] | null = null;
  try {
    classes = chooseClasses(name, found).classes;
  } catch {
    // One value, or too many: no classes.
  }
  const values = [...found].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
  return { name, values: values.slice(0, mostValues), classes, isNumber };
}

/** Maximum number of words, and minimum number of their cells. */
const mostWords = 6;
const fewestCells = 2;

function missingWords(columns: readonly Valued[]): Inspection['words'] {
  const counts = new Map<string, number>();
  for (const { values, isNumber } of columns)
    for (const { text, count } of values)
      if (/^(?:-?9{2,}|[-.?*]+|unknown|none|missing|not \w+)$/i.test(text) || (isNumber && !/\p{N}/u.test(text)))
        counts.set(text, (counts.get(text) ?? 0) + count);
  const words = Array.from(counts, ([text, count]) => ({ text, count })).filter(
    ({ text, count }) => count >= fewestCells && !text.includes(','),
  );
  return words.sort((a, b) => b.count - a.count).slice(0, mostWords);
}

/**
 * Returns the column that is named like a label; else the last column if it has classes and is no number of three and
 * more; else the last with two classes, or with more, words before numbers.
 */
function likelyLabel(columns: readonly Valued[]): string {
  const named = labelByName(columns.map(({ name }) => name));
  if (named !== null) return named;
  const last = columns.at(-1)!;
  const isFit = ({ classes, isNumber }: Valued) => classes !== null && (classes.length === 2 || !isNumber);
  if (isFit(last)) return last.name;
  const pair = columns.findLast(({ classes }) => classes?.length === 2);
  return (pair ?? columns.findLast(isFit) ?? columns.findLast(({ classes }) => classes !== null) ?? last).name;
}
