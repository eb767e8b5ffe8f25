import katex from 'katex';
import { viewEntries } from '../views/entries.ts';
import { compileTour } from './compile.ts';
import { namesIn } from './expression.ts';
import { quantities } from './quantities.ts';
import type { Tour } from './tour.ts';
import { ownTour } from './tour-link.ts';

/** The largest size of a tour, in characters. */
const mostText = 2_000_000;

/**
 * Compiles a lecturer's own tour, as the build compiles those of the page. Formulas are MathML, which browsers set in
 * their own fonts: the fonts that ship have the letters of the page's tours only.
 *
 * @param name of the file. @throws Error with the file and the line of what is not understood.
 */
export function compileOwnTour(name: string, text: string): Tour {
  if (text.length > mostText) throw new Error(`${name}: expected at most ${mostText} characters; got ${text.length}`);
  const tour = compileTour(name, ownTour, text, (tex, displayMode) =>
    katex.renderToString(tex, { displayMode, throwOnError: true, output: 'mathml' }),
  );
  checkNames(name, text, tour);
  return tour;
}

/** Refuses views and quantities that there are not, which would show only when their section is opened. */
function checkNames(file: string, text: string, { sections }: Tour): void {
  const lineOf = (words: string) => text.slice(0, Math.max(0, text.indexOf(words))).split('\n').length;
  const views = ['step', ...viewEntries.map(({ id }) => id)];
  for (const { heading, parts } of sections)
    for (const part of parts) {
      const at = (words: string) => `${file}, line ${lineOf(words)}, “${heading}”`;
      if (part.kind === 'scene') {
        const unknown = part.views.find((id) => !views.includes(id));
        if (unknown !== undefined || part.views.length !== 2)
          throw new Error(
            `${at(`"${unknown ?? 'views'}"`)}: expected two of the views ${views.join(', ')}; got ${part.views.join(', ')}`,
          );
        for (const { expression } of part.claims) checkQuantities(expression, at);
      } else if ('options' in part) for (const { right } of part.options) checkQuantities(right, at);
      else if ('answer' in part) {
        checkQuantities(part.answer, at);
        if (part.holds !== null) checkQuantities(part.holds, at);
      }
    }
}

function checkQuantities(expression: string, at: (words: string) => string): void {
  const unknown = namesIn(expression).find((name) => !Object.hasOwn(quantities, name.replace(/^.*\./, '')));
  if (unknown !== undefined)
    throw new Error(`${at(expression)}: expected a quantity in “${expression}”; got “${unknown}”`);
}
