import type { Role } from './picture.ts';

export type ThemeName = 'light' | 'dark';

/**
 * Colours of the roles. Blue and orange differ for every common kind of colour blindness (hues after Okabe & Ito
 * 2008). Both have a contrast of at least 3 : 1 with the paper, and text of at least 4.5 : 1.
 */
export const themes: Readonly<Record<ThemeName, Readonly<Record<Role, string>>>> = {
  light: {
    ink: '#1b2430',
    muted: '#5a6675',
    grid: '#dfe4ea',
    paper: '#ffffff',
    positive: '#0f6cb8',
    negative: '#b85c00',
    'positive-region': '#d9eafa',
    'negative-region': '#fbe8d3',
    third: '#a3246f',
    'third-region': '#f8dcec',
    line: '#1b2430',
    answer: '#7a3fb0',
    star: '#00795c',
    bound: '#b3261e',
    update: '#b3261e',
    broken: '#b3261e',
    selection: '#7a3fb0',
  },
  dark: {
    ink: '#e8edf3',
    muted: '#9fabb9',
    grid: '#2b3644',
    paper: '#121a24',
    positive: '#5fb2f2',
    negative: '#f2a54a',
    'positive-region': '#17324a',
    'negative-region': '#40301a',
    third: '#f08cc4',
    'third-region': '#451f38',
    line: '#e8edf3',
    answer: '#c79bf2',
    star: '#4fd0a8',
    bound: '#ff8a80',
    update: '#ff8a80',
    broken: '#ff8a80',
    selection: '#c79bf2',
  },
};

/** Font family of all text in pictures. */
export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
