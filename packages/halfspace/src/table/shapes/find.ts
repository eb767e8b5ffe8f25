import { beginsLikeArff, findArff } from './arff.ts';
import type { Shape } from './shape.ts';

/**
 * Finds the shape of text by its beginning; null: it has none that is translated. `more`: it may have one, which a
 * longer beginning shows.
 *
 * @param whole true if the text is the whole table.
 * @throws HalfspaceError `row-malformed` for declarations that cannot be read.
 */
export function findShape(text: string, whole: true, source: string): Shape | null;
export function findShape(text: string, whole: boolean, source: string): Shape | 'more' | null;
export function findShape(text: string, whole: boolean, source: string): Shape | 'more' | null {
  const begin = text.search(/\S/);
  if (begin === -1) return whole ? null : 'more';
  return beginsLikeArff(text) ? findArff(text, whole, source) : null;
}
