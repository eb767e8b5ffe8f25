import { toDecimals } from '../../data/edit.ts';
import { decimalsOf, type Editing, pan, windowOf } from '../../state/editing.svelte.ts';
import type { Lab } from '../../state/lab.svelte.ts';
import type { Ground } from '../../views/plane/plane.ts';

interface Keys {
  readonly lab: Lab;
  readonly editing: Editing;
  readonly ground: Ground;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Handles a key while the plane has the focus. Returns true if it used the key. */
export function planeKeys(event: KeyboardEvent, keys: Keys): boolean {
  const { editing, ground, lab } = keys;
  const { key } = event;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== 'a' || editing.set === null) return false;
    editing.chooseAll(ground.drawn.rows);
    return true;
  }
  if (key === ',' || key === '.') {
    editing.walk(key === ',' ? -1 : 1, ground);
    return true;
  }
  if (key === '+' || key === '=' || key === '-' || key === '0') {
    if (key === '0') keys.fit();
    else keys.zoom(key === '-' ? 1.25 : 0.8);
    return true;
  }
  if (key === 'Escape') {
    if (editing.chosen.size === 0 && editing.cursor === null) return false;
    editing.choose(null);
    editing.cursor = null;
    return true;
  }
  const arrow = arrows[key];
  if (editing.set === null) {
    if (arrow === undefined) return false;
    const window = windowOf(ground);
    const step = (window.to[0] - window.from[0]) / 20;
    pan(lab, window, arrow[0] * step, arrow[1] * step);
    return true;
  }
  if (arrow !== undefined) {
    steer(event, arrow, keys);
    return true;
  }
  return draw(key, keys);
}

/** Moves the crosshair with arrows, or the selected points with Alt and arrows; Shift makes larger steps. */
function steer(
  { altKey, shiftKey }: KeyboardEvent,
  [right, up]: readonly [number, number],
  { editing, ground }: Keys,
): void {
  const { from, to } = windowOf(ground);
  const decimals = decimalsOf(ground);
  const step = toDecimals((to[0] - from[0]) / (shiftKey ? 10 : 100), decimals);
  if (altKey) {
    if (editing.chosen.size === 0) return;
    editing.begin(ground);
    editing.move(right * step, up * step, decimals);
    editing.end();
    editing.said = 'Moved.';
    return;
  }
  const start = editing.cursor ?? { x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 };
  const within = (value: number, k: 0 | 1) => toDecimals(Math.min(Math.max(value, from[k]), to[k]), decimals);
  editing.cursor = {
    x: within(start.x + right * step, 0),
    y: editing.set?.dimension === 1 ? 0 : within(start.y + up * step, 1),
  };
  editing.said = `${editing.cursor.x}, ${editing.cursor.y}`;
}

function draw(key: string, { editing, ground }: Keys): boolean {
  const tools = { a: 'add', b: 'paint', e: 'erase', s: 'select' } as const;
  if (key === '1' || key === '2') {
    const label = key === '1' ? 1 : -1;
    editing.label = label;
    if (editing.cursor === null) return true;
    const { cursor } = editing;
    editing.begin(ground);
    if (editing.tool === 'paint') editing.paint(cursor, label, ground, 6);
    else editing.add(cursor, label);
    editing.end();
  } else if (key === 'Delete' || key === 'Backspace') {
    editing.begin(ground);
    editing.erase(editing.chosen);
    editing.end();
  } else if (key in tools) editing.tool = tools[key as keyof typeof tools];
  else return false;
  return true;
}
