import type { Algorithm } from './algorithm.ts';
import type { ListingLine } from './listing.ts';
import { orderText } from './order-text.ts';
import { perceptronListing } from './perceptron-listing.ts';

type Lines = readonly ListingLine[];

/**
 * Returns the listing of an algorithm: the lecture's own, or that of the rule with its options. All but the
 * perceptron's are loaded on demand.
 */
export function pseudocode(algorithm: Algorithm): Lines | Promise<Lines> {
  const { as, rule } = algorithm;
  if (as === null && rule === 'perceptron') return perceptronListing(algorithm);
  if (as === null) return import('./rule-listings.ts').then(({ ruleListing }) => ruleListing(algorithm));
  return import('./lecture-listings.ts').then(({ lectureListings }) => inOrder(lectureListings[as], algorithm));
}

/** Adds the order to a listing where it is not the lecture's own. */
function inOrder(own: Lines, { order }: Algorithm): Lines {
  if (order === null) return own;
  const at = own.findIndex(({ part }) => part === 'next');
  return own.map((line, k) => (k === at ? { ...line, html: `${line.html} – here ${orderText[order]}` } : line));
}
