/** What a column's cells look like as text, in numbers. Missing cells do not count. */
export interface WordTally {
  readonly cells: number;
  /** How many different cells. */
  readonly different: number;
  /** Words of all cells together, as `countWords` counts them. */
  readonly words: number;
}

/**
 * Whether a column of words is text to be read word by word, rather than a list of categories.
 *
 * Text has cells of several words that hardly ever repeat; what repeats are their words. Sentences may repeat more often and
 * still be text. A column of single words is a category whatever else it is: a code, a name, an identifier.
 */
export function looksLikeText({ cells, different, words }: WordTally): boolean {
  const wordsPerCell = words / cells;
  if (wordsPerCell >= sentence) return different >= cells * fewestDifferentSentences;
  return wordsPerCell >= phrase && different >= fewestPhrases && different >= cells * fewestDifferentPhrases;
}

/** Words a cell. */
const sentence = 6;
const phrase = 2;
/** Different cells, and shares of them among all. */
const fewestPhrases = 20;
const fewestDifferentPhrases = 0.5;
const fewestDifferentSentences = 0.1;
