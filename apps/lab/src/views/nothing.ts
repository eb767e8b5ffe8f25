import type { Dataset } from '../data/dataset.ts';
import { countClasses } from '../data/edit.ts';

/** Says why there is no run: there are no points, or points of one class only. Null: there can be a run. */
export function nothingText(dataset: Dataset): { readonly head: string; readonly text: string } | null {
  if (dataset.kind !== 'points') return null;
  const { positive, negative } = countClasses(dataset);
  if (positive > 0 && negative > 0) return null;
  if (positive + negative === 0)
    return { head: 'No points yet.', text: 'Add some of both classes: the run begins by itself.' };
  const [one, other] = positive > 0 ? ['positive', 'negative'] : ['negative', 'positive'];
  return { head: `All points are ${one}.`, text: `Add a ${other} one: the run begins by itself.` };
}
