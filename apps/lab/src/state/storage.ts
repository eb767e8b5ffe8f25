import { del, get, set } from 'idb-keyval';
import { type Kept, keptAsJson, parseKept } from './kept.ts';

const key = 'halfspace-lab';
const fileKey = 'halfspace-lab-file';
/** The file that is kept beside it. */
let keptFile: Blob | undefined;

/** What was kept on this machine; null: nothing, or nothing that can be read. */
export async function restore(): Promise<Kept | null> {
  try {
    const text = await get<string>(key);
    if (text === undefined) return null;
    keptFile = await get<Blob>(fileKey);
    return parseKept(JSON.parse(text), keptFile);
  } catch {
    // Private windows keep nothing, and what an old version kept may be of no use.
    return null;
  }
}

/** Keeps the state for the next visit, on this machine alone. */
export async function keep(kept: Kept): Promise<void> {
  try {
    const { dataset } = kept;
    const file = dataset.kind === 'table' ? dataset.file : undefined;
    if (file !== keptFile) await (file === undefined ? del(fileKey) : set(fileKey, file));
    keptFile = file;
    await set(key, JSON.stringify(keptAsJson(kept)));
  } catch {
    // The page works without.
  }
}
