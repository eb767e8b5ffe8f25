import type { Algorithm } from './algorithm.ts';
import { blogListing } from './blog-listing.ts';
import type { ListingLine } from './listing.ts';
import { orderText } from './order-text.ts';

type Lines = readonly ListingLine[];

/**
 * Returns the listing of an algorithm: the lecture's own, or that of the rule with its options. All but the first are
 * loaded on demand.
 */
export function pseudocode(algorithm: Algorithm): Lines | Promise<Lines> {
  const { as } = algorithm;
  if (as === null) return import('./rule-listings.ts').then(({ ruleListing }) => ruleListing(algorithm));
  if (as === 'blog') return inOrder(blogListing, algorithm);
  return import('./lecture-listings.ts').then(({ lectureListings }) => inOrder(lectureListings[as], algorithm));
}

/** Adds the order to a listing where it is not the lecture's own. */
function inOrder(own: Lines, { order }: Algorithm): Lines {
  if (order === null) return own;
  const at = own.findIndex(({ part }) => part === 'next');
  return own.map((line, k) => (k === at ? { ...line, html: `${line.html} – here ${orderText[order]}` } : line));
}
