import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TableEncoding } from 'halfspace';
import { encodeTable, fitEncoding } from '../../apps/lab/src/data/encode-columns.ts';
import { inspectTable } from '../../apps/lab/src/data/inspect.ts';
import { openTable } from '../../apps/lab/src/data/open-table.ts';
import { readDataset } from '../../apps/lab/src/data/read.ts';
import { openInput } from '../../packages/cli/src/data/input.ts';
import type { DataOptions } from '../../packages/cli/src/data/opened.ts';
import { kernels, type Reader } from './library-readers.ts';
import { readingOf } from './reading.ts';

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
  const { label: _, positive = null, ...choices } = given;
  const opened = { ...(await openTable(`table.${table.format}`, pasted, label, inspectTable, choices)), positive };
  const read = await readDataset({ ...opened, scale: 'none' });
  const encoding = fitEncoding(read, { scale: 'none', holdout: 0, seed: 1 });
  const reading = await readingOf(encoding, encodeTable(read, encoding));
  const { counts } = read.label;
  return {
    ...reading,
    classes: counts.size > 2 && positive === null ? [...counts.keys()] : reading.classes,
    notes: read.notes,
  };
};
