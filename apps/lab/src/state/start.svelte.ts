import type { Dataset } from '../data/dataset.ts';
import type { Kept } from './kept.ts';
import type { Lab } from './lab.svelte.ts';
import { isLink } from './link-address.ts';

/** How long nothing must change before the state is kept, in milliseconds. */
const settled = 400;

/**
 * Brings back what a link, the address or the last visit says, in this order, and from then on keeps the state on this machine.
 *
 * @param openTable makes a dataset of CSV text.
 */
export async function start(
  lab: Lab,
  openTable: (name: string, text: string, label: string | null) => Promise<Dataset>,
): Promise<void> {
  window.addEventListener('hashchange', () => void openLink(lab));
  const { hash, search } = window.location;
  let failure: string | null = null;
  let kept: Kept | null = null;
  try {
    if (isLink(hash)) {
      kept = (await import('./link.ts')).decodeLink(hash);
      // What is done next is not what the link says.
      history.replaceState(null, '', window.location.pathname + search);
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
  if (kept === null && table === null) kept = await (await import('./storage.ts')).restore();
  if (kept !== null) lab.restore(kept);
  else if (table !== null) lab.change({ dataset: table });
  await lab.refresh();
  if (failure !== null) lab.failure = { code: 'link', message: failure };
  keepUp(lab);
}

/** A link that is followed, or pasted, while the page is open. */
async function openLink(lab: Lab): Promise<void> {
  if (!isLink(window.location.hash)) return;
  const { decodeLink } = await import('./link.ts');
  try {
    lab.restore(decodeLink(window.location.hash), { remember: true });
    history.replaceState(null, '', window.location.pathname + window.location.search);
  } catch (error) {
    lab.failure = { code: 'link', message: (error as Error).message };
  }
}

/** Data that the command beside the page serves: from where the page comes from, and from nowhere else. */
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
      `The data of ${name} could not be read. Is the command that opened this page still running? Each run prints an address of its own.`,
    );
  return openTable(name, await response.text(), label);
}

function keepUp(lab: Lab): void {
  let timer = 0;
  let last: Kept | null = null;
  const save = () => {
    clearTimeout(timer);
    const state = last;
    if (state !== null) void import('./storage.ts').then(({ keep }) => keep(state));
  };
  $effect.root(() => {
    $effect(() => {
      last = lab.kept();
      clearTimeout(timer);
      timer = window.setTimeout(save, settled);
    });
  });
  window.addEventListener('pagehide', save);
}
