import type { Recording } from '../engine/recording.ts';
import type { Presented } from './lab.svelte.ts';
import { type Playable, togglePlay } from './play.ts';
import { type Stride, strideFrom } from './travel.ts';

/** An action that a key has anywhere on the page. */
type Action = 'play' | 'help' | 'present' | { readonly stride: Stride; readonly way: 1 | -1 };

interface Travelled extends Playable {
  readonly timeline: Recording | null;
  presented: Presented | null;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Returns the action of a key; null: none.
 * @param onTimeline true if the timeline has the focus: then ↑ and ↓ go to the next and previous update; otherwise
 * they scroll the page.
 */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed, onTimeline = false): Action | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === ' ') return 'play';
  if (key === '?') return 'help';
  if (key === 'f' || key === 'F') return 'present';
  const strides: Readonly<Record<string, readonly [Stride | null, 1 | -1]>> = {
    ArrowRight: [shiftKey ? 'update' : 'example', 1],
    ArrowLeft: [shiftKey ? 'update' : 'example', -1],
    ArrowUp: [onTimeline ? 'update' : null, 1],
    ArrowDown: [onTimeline ? 'update' : null, -1],
    PageDown: ['pass', 1],
    PageUp: ['pass', -1],
    End: ['all', 1],
    Home: ['all', -1],
  };
  const [stride, way] = strides[key] ?? [null, 1];
  return stride === null ? null : { stride, way };
}

/** Moves through the run by a stride, and stops playing. */
export function go(lab: Omit<Travelled, 'presented'>, stride: Stride, way: 1 | -1): void {
  lab.playing = false;
  if (lab.timeline !== null) lab.seek(strideFrom(lab.timeline, lab.step, stride, way));
}

/**
 * Listens to keys on the whole page, until the returned function is called. Elements that use a key themselves keep
 * it.
 */
export function listenToKeys(lab: Travelled, showHelp: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    const target = event.target as HTMLElement;
    const action = actionOf(event, target.dataset?.timeline !== undefined);
    if (action === null || isBusyWith(target, event.key)) return;
    event.preventDefault();
    if (action === 'help') showHelp();
    else if (action === 'play') togglePlay(lab);
    else if (action === 'present') lab.presented = 'both';
    else go(lab, action.stride, action.way);
  };
  window.addEventListener('keydown', listen);
  return () => window.removeEventListener('keydown', listen);
}

/** Tests if an element uses a key itself while it has the focus. */
function isBusyWith(target: HTMLElement, key: string): boolean {
  if (
    target.closest?.(
      'textarea, select, [contenteditable], input:not([type="checkbox"]), [role="grid"], [role="listbox"]',
    )
  )
    return true;
  return key === ' ' && target.closest?.('button, summary, a, label, input') !== null;
}
