import { type Check, check, checkDistinct, listOf, maybe, only, shape, text, within } from '../json.ts';
import type { IndexedEncoding } from './encoding.ts';

/** More features than this are refused before memory is asked for. */
const largestDimension = 1 << 28;

const parse = shape({
  kind: text,
  dimension: within(0, largestDimension),
  firstIndex: only(0, 1),
  far: maybe(shape({ direct: within(0, largestDimension), indices: listOf(within(0, 2 ** 32 - 1)) })),
});

/** Reads an encoding of numbered features. @throws HalfspaceError `model-invalid`. */
export const indexedEncoding: Check<IndexedEncoding> = (value, path) => {
  const encoding = parse(value, path) as IndexedEncoding;
  const { far, dimension } = encoding;
  if (far !== undefined) {
    const { direct, indices } = far;
    check(
      indices.every((index) => index >= direct),
      `${path}.far.indices`,
      `from ${direct}`,
      indices,
    );
    checkDistinct(indices, `${path}.far.indices`, 'each index once');
    check(dimension === direct + indices.length, `${path}.dimension`, `${direct + indices.length}`, dimension);
  }
  return encoding;
};
