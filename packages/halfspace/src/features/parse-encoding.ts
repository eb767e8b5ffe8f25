import { byKind, type Check, only } from '../json.ts';
import { storedFormats } from './date/format-names.ts';
import type { FeatureEncoding } from './encoding.ts';
import { parseNotation } from './number/parse-notation.ts';
import { indexedEncoding } from './parse-indexed.ts';
import { hashedEncoding, namedEncoding } from './parse-named.ts';
import { tableEncodings } from './parse-table-encoding.ts';
import { parseSetColumn } from './set/parse.ts';
import { parseTextColumn } from './text/parse.ts';

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
