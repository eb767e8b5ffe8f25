import { byKind, type Check, checkDistinct, only, shape, text, texts, within } from '../json.ts';
import { storedFormats } from './date/format-names.ts';
import type { FeatureEncoding, HashedEncoding, NamedEncoding } from './encoding.ts';
import { parseNotation } from './number/parse-notation.ts';
import { indexedEncoding } from './parse-indexed.ts';
import { tableEncodings } from './parse-table-encoding.ts';
import { parseSetColumn } from './set/parse.ts';
import { parseTextColumn } from './text/parse.ts';

/** Reads an encoding of named features. @throws HalfspaceError `model-invalid`. */
const namedEncoding = shape({
  kind: text,
  names: (value, path) => {
    const names = texts(value, path);
    checkDistinct(names, path, 'each name once');
    return names;
  },
}) as Check<NamedEncoding>;

/** Reads an encoding of hashed features. @throws HalfspaceError `model-invalid`. */
const hashedEncoding = shape({ kind: text, bits: within(1, 28) }) as Check<HashedEncoding>;

/** Reads an encoding of any kind from parsed JSON. @throws HalfspaceError `model-invalid`. */
export const featureEncoding: Check<FeatureEncoding> = byKind({
  indexed: indexedEncoding,
  named: namedEncoding,
  hashed: hashedEncoding,
  table: tableEncodings(parseTextColumn, {
    notation: parseNotation,
    format: only(...storedFormats),
    set: parseSetColumn,
  }),
});

/** Reads an encoding from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function parseEncoding(value: unknown): FeatureEncoding {
  return featureEncoding(value, 'features');
}
