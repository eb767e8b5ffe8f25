import { formula } from './formula.ts';
import { type ListingLine, lines } from './listing.ts';

/** The algorithm that the lab opens with. Listings of other lectures are loaded on demand. */
export const blogListing: readonly ListingLine[] = lines(
  ['start', 0, `${formula`\theta \gets 0`}, ${formula`\theta_0 \gets 0`}`],
  ['frame', 0, '<b>repeat</b>'],
  ['frame', 1, 'done ← true'],
  ['next', 1, `<b>for</b> ${formula`i = 1, \dots, n`}`],
  ['test', 2, `<b>if</b> ${formula`y_i\,(\theta \cdot x_i + \theta_0) \le 0`}`],
  ['update', 3, formula`\theta \gets \theta + y_i\,x_i`],
  ['update', 3, formula`\theta_0 \gets \theta_0 + y_i`],
  ['update', 3, 'done ← false'],
  ['frame', 0, '<b>until</b> done'],
  ['return', 0, `<b>return</b> ${formula`(\theta, \theta_0)`}`],
);
