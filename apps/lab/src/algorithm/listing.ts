/** What a line of an algorithm does; a step lights those that it went through. */
export type LinePart =
  | 'frame'
  | 'start'
  | 'next'
  | 'test'
  | 'update'
  | 'otherwise'
  /** Gone through with every example. */
  | 'always'
  | 'return';

export interface ListingLine {
  readonly part: LinePart;
  readonly indent: number;
  /** Our own text, with formulas set. */
  readonly html: string;
}

export function line(part: LinePart, indent: number, html: string): ListingLine {
  return { part, indent, html };
}

export function lines(...all: readonly (readonly [part: LinePart, indent: number, html: string])[]): ListingLine[] {
  return all.map(([part, indent, html]) => line(part, indent, html));
}

/** How a line is lit: fully where the step changed something or decided, faintly where it only went through. */
export type Light = 'main' | 'passed' | null;

/** @param at the step: 0 is the start. */
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
