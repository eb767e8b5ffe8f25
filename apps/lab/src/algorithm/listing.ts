/** The role of a line in an algorithm; a step highlights the lines that it executed. */
type LinePart =
  | 'frame'
  | 'start'
  | 'next'
  | 'test'
  | 'update'
  | 'otherwise'
  /** Executed for every example. */
  | 'always'
  | 'return';

export interface ListingLine {
  readonly part: LinePart;
  readonly indent: number;
  /** Our own text with formulas as HTML. */
  readonly html: string;
}

export function line(part: LinePart, indent: number, html: string): ListingLine {
  return { part, indent, html };
}

export function lines(...all: readonly (readonly [part: LinePart, indent: number, html: string])[]): ListingLine[] {
  return all.map(([part, indent, html]) => line(part, indent, html));
}

/**
 * Highlight of a line. `main`: the step changed or decided something there; `passed`: it was executed without effect.
 */
type Light = 'main' | 'passed' | null;

/** Returns the highlight of a line. @param at the step; 0 is the start. */
export function lightOf(
  part: LinePart,
  at: { readonly step: number; readonly updated: boolean; readonly last: boolean },
): Light {
  if (part === 'return') return at.last ? 'passed' : null;
  if (at.step === 0) return part === 'start' ? 'main' : null;
  switch (part) {
    case 'test':
      return at.updated ? 'passed' : 'main';
    case 'update':
      return at.updated ? 'main' : null;
    case 'otherwise':
      return at.updated ? null : 'main';
    case 'always':
      return 'main';
    case 'next':
      return 'passed';
    default:
      return null;
  }
}
