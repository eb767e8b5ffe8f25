import { printable } from 'halfspace/printable';

/*
 * All text from the data is made printable by `printable` of the library before the command shows it:
 *   lines of text       `section` applies it to every line, and `Output` to all output
 *   standard error      `tell`
 *   pages and pictures  `escaped`
 *   error messages      `HalfspaceError` itself
 *   cells, file names   the functions of this file
 */

/**
 * Returns a word as a cell of tab-separated text: escaped as in a JSON string, its own backslashes doubled, so that the
 * word can be read back. Words without control characters and backslashes come back unchanged.
 */
export function cellOf(word: string): string {
  return printable(word.replaceAll('\\', '\\\\'));
}

/** Returns a word as part of a file name that the command invents, with `_` for each run of unprintable characters. */
export function fileNameOf(word: string): string {
  // Not escaped, because Windows reads backslashes as folder separators. A printable name is not changed.
  return printable(word) === word
    ? word
    : [...word]
        .map((sign) => (printable(sign) === sign ? sign : '_'))
        .join('')
        .replace(/_+/g, '_');
}
