import { get, set } from 'idb-keyval';
import { type Kept, keptAsJson, parseKept } from './kept.ts';

const key = 'halfspace-lab';

/** What was kept on this machine; null: nothing, or nothing that can be read. */
export async function restore(): Promise<Kept | null> {
  try {
    const text = await get<string>(key);
    return text === undefined ? null : parseKept(JSON.parse(text));
  } catch {
    // Private windows keep nothing, and what an old version kept may be of no use.
    return null;
  }
}

/** Keeps the state for the next visit, on this machine alone. */
export async function keep(kept: Kept): Promise<void> {
  try {
    await set(key, JSON.stringify(keptAsJson(kept)));
  } catch {
    // The page works without.
  }
}
