import type { ThemeName } from '../picture/theme.ts';
import type { Lab } from './lab.svelte.ts';

/** How a person likes to see the page: kept on this machine, for every run. */
interface Preferences {
  /** Null: what the system says. */
  readonly theme: ThemeName | null;
  /** For the back row. */
  readonly wall: boolean;
}

const key = 'halfspace lab preferences';
const none: Preferences = { theme: null, wall: false };

function read(): Preferences {
  try {
    const { theme, wall } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Preferences>;
    return { theme: theme === 'light' || theme === 'dark' ? theme : null, wall: wall === true };
  } catch {
    // No storage here, or something else in it.
    return none;
  }
}

function write(preferences: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify(preferences));
  } catch {
    // Then it holds for this visit.
  }
}

/** The theme and the size of text as they were chosen, and until then the system's theme, also when that changes. */
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
