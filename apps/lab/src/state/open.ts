import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset, Reading } from '../data/dataset.ts';
import { dataPresets, type PresetValues } from '../data/presets.ts';
import type { Look } from '../views/view.ts';
import type { Lab } from './lab.svelte.ts';
import { addEntry } from './trail.ts';
import { playThrough } from './welcome.ts';

/** The views, and the algorithm, that show what a preset teaches. */
const showings: Readonly<
  Record<string, { readonly shown: Lab['shown']; readonly choices: Look['choices']; readonly algorithm?: Algorithm }>
> = {
  xor: { shown: ['kernel', 'why'], choices: { kernel: 'product' } },
  noisy: {
    shown: ['learning', 'weights'],
    choices: { learning: 'averaged' },
    algorithm: { ...defaultAlgorithm, passes: 12, holdout: 0.25 },
  },
};

/** Shows other data, with nothing selected and all of it in sight. Undo brings back the data before. */
export function openDataset(lab: Lab, dataset: Dataset, algorithm = lab.algorithm): void {
  const before = lab.soundState();
  // First of all: if the data cannot be opened, the lab goes back to what it is now, and Back leads where it did.
  lab.change({ dataset, algorithm }, { opened: () => addEntry(location.href, before) });
  lab.selected = null;
  lab.look = {
    ...lab.look,
    window: null,
    plane: dataset.kind === 'table' ? { kind: 'normal' } : { kind: 'features', horizontal: 0, vertical: 1 },
  };
}

/** Opens the data of a preset, drawn or a table. @param show false: the views and the algorithm stay. */
export async function openPreset(lab: Lab, id: string, values: PresetValues = {}, show = true): Promise<void> {
  const showing = show ? showings[id] : undefined;
  const drawn = dataPresets.find((preset) => preset.id === id)?.make(values);
  const dataset = drawn ?? (await (await import('../data/table-presets.ts')).presetDataset(id));
  openDataset(lab, dataset, showing?.algorithm);
  if (showing === undefined) return;
  lab.shown = showing.shown;
  lab.look = { ...lab.look, choices: { ...lab.look.choices, ...showing.choices } };
  await lab.refresh();
  if (lab.dataset === dataset) playThrough(lab);
}

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
    const { openTable } = await import('../data/open-table.ts');
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
