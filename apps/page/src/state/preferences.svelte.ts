import type { ThemeName } from 'halfspace-lab/picture/theme.ts';

const key = 'halfspace service theme';

/** The colours: those that the user chose, or those of the system. */
export class Preferences {
  theme: ThemeName = $state('light');

  constructor() {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => {
      const chosen = stored();
      this.#show(chosen ?? (dark.matches ? 'dark' : 'light'));
    };
    dark.addEventListener('change', follow);
    follow();
  }

  toggle(): void {
    this.#show(this.theme === 'dark' ? 'light' : 'dark');
    try {
      localStorage.setItem(key, this.theme);
    } catch {
      // Without storage the choice holds for this visit.
    }
  }

  #show(theme: ThemeName): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
  }
}

function stored(): ThemeName | null {
  try {
    const theme = localStorage.getItem(key);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null;
  }
}
