import type { Reading } from '../data/dataset.ts';
import { openTable } from '../data/open-table.ts';
import type { Lab } from './lab.svelte.ts';
import { openDataset } from './open.ts';

/**
 * Opens a table. An error is shown, and the data before stay.
 * @param label the column to predict, if the table has it. Default: the likely one.
 */
export async function openText(
  lab: Lab,
  name: string,
  text: string | Blob,
  reading: Reading = {},
  label: string | null = null,
): Promise<void> {
  try {
    const { columns } = await lab.inspect({ text, name, label: null, reading });
    const known = columns.some((column) => column.name === label) ? label : null;
    openDataset(lab, await openTable(name, text, known, (question) => lab.inspect(question), reading));
  } catch (error) {
    lab.failure = { code: 'table', message: (error as Error).message };
    lab.unread = { name, text, reading };
  }
}

/** Files up to this number of bytes become text; larger ones are read piece by piece in the worker. */
const mostText = 4_000_000;

export async function openFile(lab: Lab, file: File): Promise<void> {
  await openText(lab, file.name, (file.size <= mostText && (await textOf(file))) || file);
}

/** Returns the text of a file in UTF-8; null: it is no such text, and the reader finds out more. */
async function textOf(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
