import type { Algorithm } from './algorithm.ts';
import { blogListing } from './blog-listing.ts';
import type { ListingLine } from './listing.ts';
import { orderText } from './order-text.ts';

type Lines = readonly ListingLine[];

/** The lines of an algorithm: the lecture's own, or those of the rule as it is set. All but those that the lab opens with come when asked for first. */
export function pseudocode(algorithm: Algorithm): Lines | Promise<Lines> {
  const { as } = algorithm;
  if (as === null) return import('./rule-listings.ts').then(({ ruleListing }) => ruleListing(algorithm));
  if (as === 'blog') return inOrder(blogListing, algorithm);
  return import('./lecture-listings.ts').then(({ lectureListings }) => inOrder(lectureListings[as], algorithm));
}

/** Says so where the order is not the lecture's own. */
function inOrder(own: Lines, { order }: Algorithm): Lines {
  if (order === null) return own;
  const at = own.findIndex(({ part }) => part === 'next');
  return own.map((line, k) => (k === at ? { ...line, html: `${line.html} – here ${orderText[order]}` } : line));
}
