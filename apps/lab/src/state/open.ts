import { type Algorithm, defaultAlgorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
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
