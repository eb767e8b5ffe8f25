import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csv, ndjson } from 'halfspace';
import type { TableEncoding } from 'halfspace/internal';
import { createKernels } from 'halfspace/rules';
import { openTable } from '../../apps/lab/src/data/open-table.ts';
import { encodeTable, fitEncoding, readDataset } from '../../apps/lab/src/data/read.ts';
import { openInput } from '../../packages/cli/src/data/input.ts';
import type { DataOptions } from '../../packages/cli/src/data/opened.ts';
import { type Reading, readingOf } from './reading.ts';
import type { NastyTable } from './table.ts';

const kernels = createKernels();

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

export const readInLibrary: Reader = async (table) =>
  readSource(csv(bytesOf(table.text), { ...libraryOptions(table), format: table.format, name: 'table' }));

export const readJson: Reader = async (table) =>
  readSource(ndjson(bytesOf(table.ndjson!), { ...libraryOptions(table), name: 'table' }));

const folder = mkdtempSync(join(tmpdir(), 'halfspace-corpus-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Opens a file as `halfspace train` does, in this process. */
export const readInCommand: Reader = async (table) => {
  const path = join(folder, `${files++}.${table.format}`);
  writeFileSync(path, table.text);
  const { label, ...given } = table.given;
  const options = { ...given, onError: 'fail', label: label ?? undefined, scale: 'none' };
  const input = await openInput([path], options as DataOptions, kernels);
  try {
    const { source } = input;
    const reading = await readingOf(source.encoding!() as TableEncoding, source.batches());
    input.finish();
    return { ...reading, notes: input.notes };
  } finally {
    input.close();
  }
};

/** Opens a file as the lab does. It chooses another label than the command where none is named so. */
export const readInLab: Reader = async (table) => {
  const { given, expected, text } = table;
  const label = given.label ?? ('fault' in expected ? null : expected.label);
  const pasted = typeof text === 'string' ? text : new Blob([text as Uint8Array<ArrayBuffer>]);
  const opened = await openTable(`table.${table.format}`, pasted, label);
  const read = await readDataset({ ...opened, scale: 'none' });
  const encoding = fitEncoding(read, { scale: 'none', holdout: 0, seed: 1 });
  const reading = await readingOf(encoding, encodeTable(read, encoding));
  const { counts } = read.label;
  return { ...reading, classes: counts.size > 2 ? [...counts.keys()] : reading.classes, notes: read.notes };
};
