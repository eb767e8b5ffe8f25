import { getMany, setMany } from 'idb-keyval';
import type { Dataset } from '../data/dataset.ts';
import { parseSavedState, type SavedState, savedStateAsJson } from './saved-state.ts';

/** The data and the rest of the state have separate keys, because the rest changes at every step. */
const keys = ['halfspace-lab-data', 'halfspace-lab'];

/** Returns the state of the last visit; null: there is none, or it cannot be read. */
export async function loadState(): Promise<SavedState | null> {
  try {
    const [dataset, rest] = await getMany<object>(keys);
    return dataset === undefined || rest === undefined ? null : parseSavedState({ ...rest, dataset });
  } catch {
    // Private windows keep nothing, and an old version may have saved something else.
    return null;
  }
}

let written: Dataset | null = null;

/** Saves the state in this browser for the next visit. */
export async function saveState(kept: SavedState): Promise<void> {
  const { dataset, ...rest } = savedStateAsJson(kept);
  const entries: [string, unknown][] = [[keys[1]!, rest]];
  if (written !== kept.dataset) entries.push([keys[0]!, dataset]);
  try {
    await setMany(entries);
    written = kept.dataset;
  } catch {
    // The page works without storage.
  }
}
