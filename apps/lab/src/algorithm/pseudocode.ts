import type { Algorithm } from './algorithm.ts';
import { lectureListings } from './lecture-listings.ts';
import type { ListingLine } from './listing.ts';
import { orderWords } from './order-words.ts';

/** The lines of an algorithm: the lecture's own at once; those of a rule, as it is set, are loaded when one is first chosen. */
export function pseudocode(algorithm: Algorithm): readonly ListingLine[] | Promise<readonly ListingLine[]> {
  const { as, order } = algorithm;
  if (as === null) return import('./rule-listings.ts').then(({ ruleListing }) => ruleListing(algorithm));
  const own = lectureListings[as];
  if (order === null) return own;
  const at = own.findIndex(({ part }) => part === 'next');
  return own.map((line, k) => (k === at ? { ...line, html: `${line.html} – here ${orderWords[order]}` } : line));
}
