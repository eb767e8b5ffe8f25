import { compileTour as compile } from '../src/tours/compile.ts';
import type { Tour, TourHead } from '../src/tours/tour.ts';
import { renderFormula } from '../vite-formulas.ts';

/** Compiles a tour of the build: its formulas are set in the fonts that ship. */
export function compileTour(id: string, text: string): Tour {
  return compile(`${id}.md`, id, text, renderFormula);
}

export function headOf({ id, title, source, minutes, headings }: Tour): TourHead {
  return { id, title, source, minutes, headings };
}
