import { getMany, setMany } from 'idb-keyval';
import type { Dataset } from '../data/dataset.ts';
import { type Kept, keptAsJson, parseKept } from './kept.ts';

/** Data are kept apart from the rest, which changes at every step. */
const keys = ['halfspace-lab-data', 'halfspace-lab'];

/** What was kept on this machine; null: nothing, or nothing that can be read. */
export async function restore(): Promise<Kept | null> {
  try {
    const [dataset, rest] = await getMany<object>(keys);
    return dataset === undefined || rest === undefined ? null : parseKept({ ...rest, dataset });
  } catch {
    // Private windows keep nothing, and what an old version kept may be of no use.
    return null;
  }
}

let written: Dataset | null = null;

/** Keeps the state for the next visit, on this machine alone. */
export async function keep(kept: Kept): Promise<void> {
  const { dataset, ...rest } = keptAsJson(kept);
  const entries: [string, unknown][] = [[keys[1]!, rest]];
  if (written !== kept.dataset) entries.push([keys[0]!, dataset]);
  try {
    await setMany(entries);
    written = kept.dataset;
  } catch {
    // The page works without.
  }
}
