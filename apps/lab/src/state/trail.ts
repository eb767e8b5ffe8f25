import type { Lab } from './lab.svelte.ts';
import type { SavedState } from './saved-state.ts';

/** Position in the history of the browser, and the states of its other entries; null: nothing is kept. */
let trail: { readonly lab: Lab; readonly left: Map<number, SavedState>; at: number; newest: number } | null = null;

/** Tests if something else shows what the address names: a tour shows the scene of another section itself. */
let isShownElse = () => false;

/** Leaves entries to something else, where `test` says so; it is called when the address has changed. */
export function leaveEntries(test: () => boolean): void {
  isShownElse = test;
}

/** Number of entries whose states are kept; beyond it the oldest is dropped. */
const most = 100;

/**
 * Makes Back and Forward bring back data, algorithm and step. Entries have numbers, because the browser cannot hold
 * large data; the states are lost by a reload, and the address then decides what is shown.
 */
export function startTrail(lab: Lab): void {
  const at = numberOf(history.state) ?? 0;
  trail = { lab, left: new Map(), at, newest: at };
  history.replaceState({ place: at }, '');
  window.addEventListener('popstate', ({ state }) => travel(numberOf(state)));
}

/**
 * Adds an entry to the browser's history. Back then brings back the state `before`, by default the present one: call it
 * before a change.
 */
export function addEntry(address: string, before?: SavedState): void {
  if (trail === null) {
    // The page has not started yet, so there is nothing to come back to.
    history.replaceState(history.state, '', address);
    return;
  }
  leave(before);
  trail.at = ++trail.newest;
  history.pushState({ place: trail.at }, '', address);
}

function leave(before?: SavedState): void {
  const { lab, left, at } = trail!;
  const kept = left.get(at);
  // Data of the entry that are being opened again are not in the lab yet.
  const isComing = !lab.isSound && kept?.dataset === lab.dataset;
  left.set(at, before ?? (isComing ? kept : lab.soundState()));
  const [oldest] = left.keys();
  if (left.size > most) left.delete(oldest!);
}

function travel(to: number | null): void {
  leave();
  if (to === null) {
    // The browser made an entry itself: somebody followed or pasted a link.
    trail!.at = ++trail!.newest;
    history.replaceState({ place: trail!.at }, '');
    return;
  }
  if (to < trail!.at && trail!.lab.isOpening) {
    // Data that are still being opened have no entry yet: Back from them is to the present one.
    history.go(trail!.at - to);
    return;
  }
  trail!.at = to;
  const state = trail!.left.get(to);
  if (state !== undefined && !isShownElse()) trail!.lab.restore(state, { remember: true });
}

function numberOf(state: unknown): number | null {
  const place = (state as { readonly place?: unknown } | null)?.place;
  return typeof place === 'number' ? place : null;
}
