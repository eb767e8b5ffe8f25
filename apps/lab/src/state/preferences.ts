import type { ThemeName } from '../picture/theme.ts';
import type { Lab } from './lab.svelte.ts';

/** Preferences of the user, saved in this browser. */
interface Preferences {
  /** Null: as the system. */
  readonly theme: ThemeName | null;
  /** True for large text. */
  readonly wall: boolean;
}

const key = 'halfspace lab preferences';
const none: Preferences = { theme: null, wall: false };

function read(): Preferences {
  try {
    const { theme, wall } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
    return { theme: theme === 'light' || theme === 'dark' ? theme : null, wall: wall === true };
  } catch {
    // There is no storage here, or it holds something else.
    return none;
  }
}

function write(preferences: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // Without storage the preferences hold for this visit.
  }
}

/**
 * Sets theme and text size as they were saved. Without a saved theme the page follows the system, also when that
 * changes.
 */
export function startPreferences(lab: Lab): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const { theme, wall } = read();
  lab.theme = theme ?? (dark.matches ? 'dark' : 'light');
  lab.wall = wall;
  document.documentElement.dataset.theme = lab.theme;
  document.documentElement.dataset.size = wall ? 'wall' : 'desk';
  dark.addEventListener('change', () => {
    if (read().theme === null) lab.theme = dark.matches ? 'dark' : 'light';
  });
}

export function chooseTheme(lab: Lab, theme: ThemeName): void {
  lab.theme = theme;
  write({ ...read(), theme });
}

export function chooseSize(lab: Lab, wall: boolean): void {
  lab.wall = wall;
  write({ ...read(), wall });
}
