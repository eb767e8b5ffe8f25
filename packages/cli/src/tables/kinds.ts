import type { ColumnCells, ColumnTally } from 'halfspace';

/** What should be said of a category whose values are numbers for the most part. */
export function mixedNote(name: string, { cells, numbers, stray }: ColumnTally): string | null {
  if (numbers * 2 < cells || numbers === cells) return null;
  return `column ${name} is read as categories: ${numbers} of ${cells} values are numbers, but not ${JSON.stringify(stray)}`;
}

/** How often each word of a list occurs. */
export class WordCounts {
  counts = new Float64Array(8);

  add(cells: ColumnCells | null, rows: number): void {
    if (cells === null || cells instanceof Float64Array) return;
    const { codes, words } = cells;
    if (words.length > this.counts.length) {
      const grown = new Float64Array(words.length * 2);
      grown.set(this.counts);
      this.counts = grown;
    }
    for (let i = 0; i < rows; i++) this.counts[codes[i]!]!++;
  }
}
