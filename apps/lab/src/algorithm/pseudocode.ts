import type { Algorithm } from './algorithm.ts';
import { lectureListings } from './lecture-listings.ts';
import type { ListingLine } from './listing.ts';
import { orderWords } from './order-words.ts';
import { ruleListing } from './rule-listings.ts';

/** The lines of an algorithm: the lecture's own, or those of the rule as it is set. */
export function pseudocode(algorithm: Algorithm): readonly ListingLine[] {
  const { as, order } = algorithm;
  if (as === null) return ruleListing(algorithm);
  const own = lectureListings[as];
  if (order === null) return own;
  const at = own.findIndex(({ part }) => part === 'next');
  return own.map((line, k) => (k === at ? { ...line, html: `${line.html} – here ${orderWords[order]}` } : line));
}
