import type { Model } from '../../model/model.ts';
import { literal } from './write.ts';

/** Writes the declarations of the type of a row. */
export function rowType({ features }: Model): string {
  switch (features.kind) {
    case 'table': {
      const kinds = {
        number: 'number | string | bigint | null',
        boolean: 'boolean | 0 | 1 | string | null',
        date: 'Date | string | number | null',
        category: 'string | number | boolean | bigint | null',
        set: 'string | readonly (string | number | boolean | bigint | null)[] | number | boolean | bigint | null',
        text: 'string | number | boolean | bigint | null',
      } as const;
      return interfaceOf(
        'its fields by name. A field that is absent or null is a missing value.',
        features.columns.map(({ name, kind }) => [name, kinds[kind]]),
      );
    }
    case 'named':
      return interfaceOf(
        'its features by name. A feature that is absent is 0.',
        features.names.map((name) => [name, 'number']),
      );
    default:
      return `/** A row: its numbers, or those that are not 0, by index. */\nexport type Row = ArrayLike<number> | { readonly indices: ArrayLike<number>; readonly values: ArrayLike<number> };`;
  }
}

/**
 * Without an index signature, so that interfaces fit and misspelt fields do not. For the compiler all objects have
 * members such as `constructor`, so fields of these names have no type of their own.
 */
function interfaceOf(what: string, fields: readonly (readonly [name: string, type: string])[]): string {
  const members = fields.map(([name, type]) => {
    const known = name in Object.prototype ? 'unknown' : `${type} | undefined`;
    return `  readonly ${literal(name)}?: ${known};\n`;
  });
  return `/** A row: ${what} */\nexport interface Row {\n${members.join('')}}`;
}
