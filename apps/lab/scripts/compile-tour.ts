import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileTour as compile } from '../src/tours/compile.ts';
import type { Tour, TourHead } from '../src/tours/tour.ts';
import { translateTour as translate } from '../src/tours/translate.ts';
import { renderFormula } from '../vite-formulas.ts';

/** Compiles a tour of the build: its formulas are set in the fonts that ship. */
export function compileTour(id: string, text: string): Tour {
  return compile(`${id}.md`, id, text, renderFormula);
}

/** Files that a tour is made of: `tours/german/foda.md` holds the words of `tours/foda.md` in German. */
export function filesOf(file: string): [english: string, translation: string | null] {
  const folder = path.dirname(file);
  return path.basename(folder) === 'tours'
    ? [file, null]
    : [path.join(path.dirname(folder), path.basename(file)), file];
}

/** Reads and compiles the tour of a file, in English or another language. */
export function readTour(file: string): Tour {
  const [english, translation] = filesOf(file);
  const tour = compileTour(path.basename(english, '.md'), readFileSync(english, 'utf8'));
  if (translation === null) return tour;
  const name = path.join(path.basename(path.dirname(file)), path.basename(file));
  return translate(name, readFileSync(translation, 'utf8'), tour, renderFormula);
}

export function headOf({ id, title, source, minutes, sections }: Tour): TourHead {
  return { id, title, source, minutes, sectionCount: sections.length };
}
