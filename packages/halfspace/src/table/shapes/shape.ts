import { HalfspaceError } from '../../errors.ts';
import { type BytePieces, byteText, utf8 } from '../byte-text.ts';
import type { GivenDialect } from '../dialect.ts';
import { mostHeadBytes } from '../head.ts';
import type { DeclaredOptions } from '../table.ts';
import { malformed } from '../text-rows.ts';
import { notUtf8 } from '../transcode.ts';

/*
 * Some texts have the rows of a table in another form than delimited cells. Each of their lines becomes one line of
 * CSV, an empty one if it is no row. So the usual reader reads them, and its messages name the lines of the file.
 */

/** A form of text that is translated into CSV while it is read. */
export interface Shape {
  /** Notes for the user. */
  readonly notes: readonly string[];
  /** Number of lines before the names. Default: the reader finds titles. */
  readonly skipLines?: number;
  /** Options of columns that the text declares, by position. Default: the cells decide. */
  readonly declared?: readonly DeclaredOptions[];
  /** Begins a translation: the function gets every line in order. */
  translator(): Translate;
}

/** Returns a line of CSV. @param fail makes an error with the place of the line. */
export type Translate = (line: string, fail: (message: string) => HalfspaceError) => string;

/** Returns the dialect of the CSV that a text becomes. */
export function dialectOf({ skipLines }: Shape): GivenDialect {
  return { delimiter: ',', quote: '"', comment: null, skipLines };
}

/** Yields the lines of text, translated into CSV. @throws HalfspaceError `row-malformed`, `source-corrupt`. */
export async function* reshaped(pieces: BytePieces, source: string, shape: Shape): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const translate = shape.translator();
  let line = 0;
  const translated = (text: string) => {
    const where = { source, line: ++line };
    const decoded = utf8(text);
    if (decoded === null) throw notUtf8(text, where);
    return `${translate(decoded, (message) => new HalfspaceError('row-malformed', message, where))}\n`;
  };
  let rest = '';
  for await (const text of byteText(pieces, source)) {
    const before = Math.max(0, rest.length - 1);
    rest += text;
    const fresh = rest.slice(before);
    // The second half of the last line end may follow.
    const end = Math.max(fresh.lastIndexOf('\n'), fresh.slice(0, -1).lastIndexOf('\r'));
    const to = end === -1 ? 0 : before + end + 1;
    if (to === 0 && rest.length > mostHeadBytes)
      throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source, line: line + 1 });
    if (to === 0) continue;
    const lines = rest.slice(0, to).split(/\r\n|\n|\r/);
    lines.pop();
    rest = rest.slice(to);
    yield encoder.encode(lines.map(translated).join(''));
  }
  if (rest !== '') yield encoder.encode(translated(rest.replace(/\r$/, '')));
}
