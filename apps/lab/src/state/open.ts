import type { Dataset } from '../data/dataset.ts';
import type { Lab } from './lab.svelte.ts';

/** Shows other data from the start: all of it, nothing chosen. Undo goes back to what there was. */
export function openDataset(lab: Lab, dataset: Dataset): void {
  lab.selected = null;
  lab.look = {
    ...lab.look,
    window: null,
    plane: dataset.kind === 'table' ? { kind: 'normal' } : { kind: 'features', horizontal: 0, vertical: 1 },
  };
  lab.change({ dataset });
}

/** Opens CSV text; what is wrong with it is said, and what there was stays. */
export async function openText(lab: Lab, name: string, text: string): Promise<void> {
  try {
    const { openTable } = await import('../data/open-table.ts');
    openDataset(lab, await openTable(name, text, null));
  } catch (error) {
    lab.failure = { code: 'table', message: error instanceof Error ? error.message : String(error) };
  }
}

/** The most bytes that a page can hold as text. */
const mostBytes = 400_000_000;

export async function openFile(lab: Lab, file: File): Promise<void> {
  if (file.size > mostBytes) {
    const message = `${file.name} is larger than 400 MB. The command \`halfspace train\` reads it; here a part of it will do.`;
    lab.failure = { code: 'table', message };
    return;
  }
  await openText(lab, file.name, await file.text());
}
