import type { TableEncoding } from 'halfspace';
import { csv, ndjson, OnlineClassifier } from 'halfspace';
import { createKernels } from 'halfspace/rules';
import { type Reading, readingOf } from './reading.ts';
import type { NastyTable } from './table.ts';

export const kernels = createKernels();

/** Reads a table. @throws HalfspaceError if it cannot be read. */
export type Reader = (table: NastyTable) => Promise<Reading>;

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? new TextEncoder().encode(text) : text);

/** The options of a table by the names that the library gives them; those that it lacks are refused. */
function libraryOptions({ given }: NastyTable): object {
  const { label, ...others } = given;
  return { ...others, ...(label === null ? {} : { label }), scale: 'none' };
}

async function readSource(source: ReturnType<typeof csv>): Promise<Reading> {
  const opened = await source.open({ kernels });
  const reading = await readingOf(opened.encoding!() as TableEncoding, opened.batches());
  return { ...reading, notes: (opened as Partial<Reading>).notes! };
}

export const readInLibrary: Reader = async (table) => {
  const { format, text } = table;
  const options = { ...libraryOptions(table), name: 'table' };
  if (format === 'json' || format === 'ndjson') return readSource(ndjson(bytesOf(text), options));
  return readSource(csv(bytesOf(text), { ...options, format }));
};

export const readJson: Reader = async (table) =>
  readSource(ndjson(bytesOf(table.ndjson!), { ...libraryOptions(table), name: 'table' }));

/**
 * Learns the rows of a table one by one, and reads them back as the model does that came of it. It keeps columns that a
 * table leaves out, which are not compared.
 */
export const readOnline: Reader = async (table) => {
  const text = () => ndjson(bytesOf(table.ndjson!), { label: 'y', name: 'table' });
  const online = new OnlineClassifier({ rule: 'perceptron', scale: 'none' });
  await online.learnFrom(text());
  const encoding = online.model().features as TableEncoding;
  const opened = await text().open({ kernels, encoding });
  const reading = await readingOf(encoding, opened.batches());
  const asked = 'columns' in table.expected ? table.expected.columns : {};
  const columns = new Map([...reading.columns].filter(([name]) => name in asked));
  return { ...reading, header: null, label: 'y', columns, notes: online.notes };
};

/** Returns the tables that can be learned row by row, with the answers that do not need all rows at once. */
export function tablesOfRows(tables: readonly NastyTable[]): NastyTable[] {
  return tables.flatMap((table): NastyTable[] => {
    const { expected, given, ndjson: lines } = table;
    // Who has values, not text, gives none for words that mean none.
    if (lines === null || 'fault' in expected || given.missing !== undefined) return [];
    const columns = Object.entries(expected.columns).filter(([, { kind }]) => kind !== 'left out');
    const { note: _, ...others } = expected;
    return [{ ...table, expected: { ...others, columns: Object.fromEntries(columns) } }];
  });
}
