import { type Check, checkDistinct, shape, text, texts, within } from '../json.ts';
import type { HashedEncoding, NamedEncoding } from './encoding.ts';

/** Reads an encoding of named features. @throws HalfspaceError `model-invalid`. */
export const namedEncoding = shape({
  kind: text,
  names: (value, path) => {
    const names = texts(value, path);
    checkDistinct(names, path, 'each name once');
    return names;
  },
}) as Check<NamedEncoding>;

/** Reads an encoding of hashed features. @throws HalfspaceError `model-invalid`. */
export const hashedEncoding = shape({ kind: text, bits: within(1, 28) }) as Check<HashedEncoding>;
