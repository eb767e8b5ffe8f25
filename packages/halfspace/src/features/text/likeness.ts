/** Counts that describe the text of a column's cells. Missing cells do not count. */
export interface WordTally {
  readonly cells: number;
  /** Number of different cells. */
  readonly different: number;
  /** Number of words in all cells, by `countWords`. */
  readonly words: number;
}

/**
 * Tests if a column of words is text, which is read word by word, or else a category.
 *
 * Text has cells of several words that hardly repeat; only their words do. Sentences may repeat more often. A column of
 * single words is always a category: a code, a name, an identifier.
 */
export function looksLikeText({ cells, different, words }: WordTally): boolean {
  const wordsPerCell = words / cells;
  if (wordsPerCell >= sentence) return different >= cells * fewestDifferentSentences;
  return wordsPerCell >= phrase && different >= fewestPhrases && different >= cells * fewestDifferentPhrases;
}

/** The smallest mean number of words per cell of sentences, and of phrases. */
const sentence = 6;
const phrase = 2;
/** Minimum number of different phrases, and the smallest shares of different cells. */
const fewestPhrases = 20;
const fewestDifferentPhrases = 0.5;
const fewestDifferentSentences = 0.1;
