import type { Algorithm } from './algorithm.ts';
import { formula } from './formula.ts';
import { type ListingLine, line, lines } from './listing.ts';
import { orderText } from './order-text.ts';

type Options = Algorithm['options'];

const tests: Readonly<Record<string, string>> = {
  'at-most-zero': formula`y\,(w \cdot x + b) \le 0`,
  'below-zero': formula`y\,(w \cdot x + b) < 0`,
  'sign-differs': formula`\operatorname{sgn}(w \cdot x + b) \ne y`,
};
export const start: string = formula`w \gets 0,\; b \gets 0`;
const step = formula`w \gets w + y\,x,\quad b \gets b + y`;

export const testOf = ({ updateWhen = 'at-most-zero' }: Options): string => `<b>if</b> ${tests[String(updateWhen)]}`;

/**
 * Returns the listing of the perceptron, with which the lab opens. All other listings are loaded on demand, and so are
 * the glyphs that only their formulas have (vite-fonts.ts).
 */
export function perceptronListing(algorithm: Algorithm): ListingLine[] {
  return withPasses(perceptronSteps(testOf(algorithm.options), formula`(w, b)`), algorithm);
}

/** Returns the listing of a rule that adds y·x. `more` follows the update; `begin` replaces the first line. */
export function perceptronSteps(
  test: string,
  answer: string,
  more: readonly ListingLine[] = [],
  begin: string = start,
): ListingLine[] {
  return [
    ...lines(['start', 0, begin], ['test', 1, test], ['update', 2, step]),
    ...more,
    ...lines(['frame', 0, 'stop after a pass without an update'], ['return', 0, `<b>return</b> ${answer}`]),
  ];
}

/** Adds the loop over passes and examples after the first line. */
export function withPasses([first, ...rest]: readonly ListingLine[], { order }: Algorithm): ListingLine[] {
  const each = `<b>for each</b> pass, <b>for each</b> ${formula`(x, y)`}, ${orderText[order ?? 'cyclic']}`;
  return [first!, line('next', 0, each), ...rest];
}
