import { check, checkDistinct, list, members, oneOf, texts, whole } from '../json.ts';
import type { FeatureEncoding } from './encoding.ts';
import { parseTableEncoding } from './parse-table-encoding.ts';

/** More features than this are refused before memory is asked for. */
const largestDimension = 1 << 28;

/** Reads an encoding from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function parseEncoding(value: unknown): FeatureEncoding {
  const from = members(value, 'features');
  const kind = oneOf(from.kind, 'features.kind', ['indexed', 'named', 'hashed', 'table'] as const);
  if (kind === 'table') return parseTableEncoding(value);
  if (kind === 'hashed') return { kind, bits: whole(from.bits, 'bits', 1, 28) };
  if (kind === 'named') {
    const names = texts(from.names, 'names');
    checkDistinct(names, 'names', 'each name once');
    return { kind, names };
  }
  const dimension = whole(from.dimension, 'dimension', 0, largestDimension);
  const firstIndex = oneOf(from.firstIndex, 'firstIndex', [0, 1] as const);
  if (from.far === undefined) return { kind, dimension, firstIndex };
  const far = members(from.far, 'far');
  const direct = whole(far.direct, 'direct', 0, largestDimension);
  const indices = list(far.indices, 'far.indices').map((index) => whole(index, 'far.indices', direct, 2 ** 32 - 1));
  checkDistinct(indices, 'far.indices', 'each index once');
  check(dimension === direct + indices.length, 'dimension', `${direct + indices.length}`, dimension);
  return { kind, dimension, firstIndex, far: { direct, indices } };
}
