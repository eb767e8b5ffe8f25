import { beginsLikeArff, findArff } from './arff.ts';
import { findFixedWidth } from './fixed-width.ts';
import { findPrinted } from './printed.ts';
import type { Shape } from './shape.ts';

/** Facts about the beginning of a text. */
interface Beginning {
  /** True if it is the whole text. */
  readonly whole: boolean;
  /** Name for messages. */
  readonly source: string;
  /** False: the text has no line of names, so it is no printed table. */
  readonly header?: boolean | undefined;
  /** True for a pipe, whose first line must decide: there are no titles above a printed table. */
  readonly isLive?: boolean;
}

/** Number of lines that may stand above the rows. */
const mostAbove = 60;
/** Number of lines that show columns of fixed width. */
const mostShown = 1000;

/**
 * Finds the shape of text by its beginning; null: it has none that is translated. `more`: it may have one, which a
 * longer beginning shows.
 *
 * @throws HalfspaceError `row-malformed` for declarations that cannot be read.
 */
export function findShape(text: string, { whole, source, header, isLive = false }: Beginning): Shape | 'more' | null {
  const begin = text.search(/\S/);
  if (begin === -1) return whole ? null : 'more';
  if (beginsLikeArff(text)) return findArff(text, whole, source);
  if (header === false) return null;
  const lines = text.split(/\r\n|\n|\r/, mostAbove + 1);
  // The last line may be cut.
  if (!whole && lines.length <= mostAbove) lines.pop();
  const first = lines.findIndex((line) => /\S/.test(line));
  if (isLive) {
    if (first === -1 && !whole) return 'more';
    if (!/[|+\u2500-\u257f]/.test(lines[first] ?? '')) return null;
    // A border, the names and the rule.
    if (!whole && lines.length < first + (/[|\u2502]/.test(lines[first]!) ? 2 : 3)) return 'more';
    return findPrinted(lines.slice(0, first + 5));
  }
  return findPrinted(lines) ?? findFixedWidth(text.split(/\r\n|\n|\r/, mostShown).slice(0, whole ? undefined : -1));
}
