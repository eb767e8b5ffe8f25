import { mount } from 'svelte';
import { defaultAlgorithm } from './algorithm/algorithm.ts';
import { hasBothClasses } from './data/edit.ts';
import type { Lab } from './state/lab.svelte.ts';
import { isLink } from './state/link-address.ts';
import type { SavedState } from './state/saved-state.ts';
import Theorem from './Theorem.svelte';

/**
 * Shows the page of the theorem, with the data of a link, or those of the last visit to the lab. It keeps nothing in
 * this browser.
 */
export async function showTheorem(lab: Lab, target: HTMLElement): Promise<void> {
  document.title = 'Why the perceptron must stop';
  mount(Theorem, { target, props: { lab } });
  const { hash } = window.location;
  let kept: SavedState | null = null;
  try {
    kept = isLink(hash)
      ? await (await import('./state/link.ts')).decodeLink(hash)
      : await (await import('./state/storage.ts')).loadState();
  } catch (error) {
    lab.failure = { code: 'link', message: (error as Error).message };
  }
  if (kept !== null && (kept.dataset.kind === 'table' || hasBothClasses(kept.dataset)))
    // The theorem is about the plain perceptron, whatever the lab was left with; the order stays.
    lab.restore({
      ...kept,
      algorithm: { ...defaultAlgorithm, order: kept.algorithm.order, seed: kept.algorithm.seed },
      step: 0,
    });
  await lab.refresh();
  lab.seek(lab.recording?.updates[0] ?? 0);
}
