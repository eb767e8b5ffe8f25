import type { Dataset } from '../data/dataset.ts';
import type { Lab } from './lab.svelte.ts';
import { isLink } from './link-address.ts';
import type { SavedState } from './saved-state.ts';
import { startTrail } from './trail.ts';
import { beginWelcome, isFirstVisit } from './welcome.ts';

/** Milliseconds without a change before the state is saved. */
const settled = 400;

/**
 * Restores the state of a link, of `?data=`, or of the last visit, in this order; from then on saves the state in
 * this browser.
 * @param openTable makes a dataset of CSV text.
 * @param embed shows the page as a part of another one, once its state is restored. Nothing is kept then.
 */
export async function start(
  lab: Lab,
  openTable: (name: string, text: string, label: string | null) => Promise<Dataset>,
  embed: (() => Promise<void>) | null = null,
): Promise<void> {
  window.addEventListener('hashchange', () => void openLink(lab));
  const { search } = window.location;
  const hash = window.location.hash.replace(/^#embed=[\w,]*&?/, '#');
  let failure: string | null = null;
  let kept: SavedState | null = null;
  try {
    if (isLink(hash)) {
      kept = await (await import('./link.ts')).decodeLink(hash);
      // Later changes are not part of the link, so the address drops it.
      if (embed === null) history.replaceState(null, '', window.location.pathname + search);
    }
  } catch (error) {
    failure = (error as Error).message;
  }
  const given = new URLSearchParams(search).get('data');
  let table: Dataset | null = null;
  if (kept === null && given !== null) {
    try {
      table = await fetchTable(given, new URLSearchParams(search).get('label'), openTable);
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  if (kept === null && table === null && embed === null) kept = await (await import('./storage.ts')).loadState();
  if (kept !== null) lab.restore(kept);
  else if (table !== null) lab.change({ dataset: table });
  lab.isFirst = kept === null && given === null && embed === null && window.location.hash === '' && isFirstVisit();
  if (embed === null) startTrail(lab);
  else await embed();
  await lab.refresh();
  if (lab.isFirst) beginWelcome(lab);
  if (failure !== null) lab.failure = { code: 'link', message: failure };
  if (embed === null) keepUp(lab);
}

/** Opens a link that is followed or pasted while the page is open. */
async function openLink(lab: Lab): Promise<void> {
  if (!isLink(window.location.hash)) return;
  const { decodeLink } = await import('./link.ts');
  try {
    lab.restore(await decodeLink(window.location.hash), { remember: true });
    history.replaceState(history.state, '', window.location.pathname + window.location.search);
  } catch (error) {
    lab.failure = { code: 'link', message: (error as Error).message };
  }
}

/** Fetches data that the command serves beside the page; other origins are refused. */
async function fetchTable(
  path: string,
  label: string | null,
  openTable: (name: string, text: string, label: string | null) => Promise<Dataset>,
): Promise<Dataset> {
  const url = new URL(path, document.baseURI);
  if (url.origin !== window.location.origin)
    throw new Error(
      `The lab opens data only from its own address; got ${url.origin}. Download the file, and open it here.`,
    );
  const name = decodeURIComponent(url.pathname.split('/').at(-1)!);
  const response = await fetch(url).catch(() => null);
  if (response === null || !response.ok)
    throw new Error(
      `The data of ${name} could not be read. Is the command that opened this page still running? Each run prints a new address.`,
    );
  return openTable(name, await response.text(), label);
}

function keepUp(lab: Lab): void {
  let timer = 0;
  let last: SavedState | null = null;
  const save = () => {
    clearTimeout(timer);
    const state = last;
    if (state !== null) void import('./storage.ts').then(({ saveState }) => saveState(state));
  };
  $effect.root(() => {
    $effect(() => {
      // A table that cannot be opened would come back at every visit.
      if (!lab.isSound) return;
      last = lab.savedState();
      clearTimeout(timer);
      timer = window.setTimeout(save, settled);
    });
  });
  window.addEventListener('pagehide', save);
}
