import { type DatePart, partWidths } from './parts.ts';

/** Returns the features of each part of a date. @param at position of the date's own feature, before them. */
export function partRanges(
  { parts = [] }: { readonly parts?: readonly DatePart[] },
  at: number,
): { readonly part: DatePart; readonly first: number; readonly length: number }[] {
  let first = at + 1;
  return parts.map((part) => {
    const length = partWidths[part];
    first += length;
    return { part, first: first - length, length };
  });
}
