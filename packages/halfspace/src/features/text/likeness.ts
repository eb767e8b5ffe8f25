/** Counts that describe the text of a column's cells. Missing cells do not count. */
interface WordTally {
  readonly cells: number;
  /** Number of different cells. */
  readonly different: number;
  /** Number of words in all cells, by `countWords`. */
  readonly words: number;
}

/**
 * Tests if a column of words is text, which is read word by word, or else a category.
 *
 * Text has cells of several words that hardly repeat; only their words do. Sentences may repeat more often. Among few
 * cells even those of a category may all differ by chance, but text loses nothing: the words of a cell tell it, too. A
 * column of single words is always a category: a code, a name, an identifier.
 */
export function looksLikeText({ cells, different, words }: WordTally): boolean {
  const wordsPerCell = words / cells;
  if (wordsPerCell >= sentence) return different >= cells * fewestDifferentSentences;
  return wordsPerCell >= phrase && different >= cells * (different < few ? fewestDifferentFew : fewestDifferentPhrases);
}

/** The smallest mean number of words per cell of sentences, and of phrases. */
const sentence = 6;
const phrase = 2;
/** The smallest shares of different cells: of phrases, of fewer than {@link few} different ones, and of sentences. */
const fewestDifferentPhrases = 0.5;
const fewestDifferentFew = 0.75;
const fewestDifferentSentences = 0.1;
const few = 20;

/** Tests if a sample of a column tells too little of its other cells: it has few different ones. */
export function isFew({ different }: Pick<WordTally, 'different'>): boolean {
  return different < few;
}
