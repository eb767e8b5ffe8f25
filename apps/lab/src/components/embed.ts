import './presented.css';
import type { Lab } from '../state/lab.svelte.ts';
import { viewEntries } from '../views/entries.ts';

/**
 * Shows figures and the time alone, for a frame in another page.
 * @param names what is shown, as links have it: `plane,proof`, `plane` or ids of views; unknown names are left out.
 */
export function embed(lab: Lab, names: string): void {
  const wanted = names.split(',');
  const [first, second] = wanted.filter((name) => viewEntries.some(({ id }) => id === name));
  lab.shown = [first ?? lab.shown[0], second ?? lab.shown[1]];
  document.documentElement.dataset.present =
    first === undefined ? 'plane' : wanted.includes('plane') ? 'both' : 'first';
  // The header is not shown, but readers of the page move by headings.
  const heading = document.createElement('h1');
  heading.className = 'visually-hidden';
  heading.textContent = 'halfspace lab';
  document.querySelector('main')?.prepend(heading);
}
