import type { ColumnTally } from 'halfspace/internal';

/** What should be said of a category whose values are numbers for the most part. */
export function mixedNote(name: string, { cells, numbers, stray }: ColumnTally): string | null {
  if (numbers * 2 < cells || numbers === cells) return null;
  return `Column ${name} is read as categories: ${numbers} of ${cells} values are numbers, but not “${stray}”.`;
}
