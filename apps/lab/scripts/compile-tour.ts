import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileTour as compile } from '../src/tours/compile.ts';
import type { Tour, TourHead } from '../src/tours/tour.ts';
import { renderFormula } from '../vite-formulas.ts';

/** Compiles a tour of the build: its formulas are set in the fonts that ship. */
export function compileTour(id: string, text: string): Tour {
  return compile(`${id}.md`, id, text, renderFormula);
}

/** Reads and compiles the tour of a file. */
export function readTour(file: string): Tour {
  return compileTour(path.basename(file, '.md'), readFileSync(file, 'utf8'));
}

export function headOf({ id, title, source, minutes, plays, sections }: Tour): TourHead {
  return { id, title, source, minutes, plays, sectionCount: sections.length };
}
