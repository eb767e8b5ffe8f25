import { csv, ndjson } from 'halfspace';
import type { TableEncoding } from 'halfspace/internal/tables';
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
