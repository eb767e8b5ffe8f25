import { printable } from 'halfspace/printable';

/*
 * Words of data leave the command by one rule, `printable` of the library:
 *   lines of text       `section` applies it to every line, and `Output` to everything once more
 *   standard error      `tell`
 *   pages and pictures  `escaped`
 *   messages of errors  `HalfspaceError` itself
 *   cells and names of files, here
 */

/**
 * Returns a word as a cell of tab-separated text: escaped as in a JSON string, its own backslashes doubled, so that the word can be read
 * back. Words without control characters and backslashes come back unchanged.
 */
export function cellOf(word: string): string {
  return printable(word.replaceAll('\\', '\\\\'));
}

/** Returns a word as part of the name of a file that the command makes up: `_` for every run of what cannot be shown. */
export function fileNameOf(word: string): string {
  // Escapes have backslashes, which Windows takes for folders; a name that has one of its own keeps it.
  return printable(word) === word
    ? word
    : [...word]
        .map((sign) => (printable(sign) === sign ? sign : '_'))
        .join('')
        .replace(/_+/g, '_');
}
