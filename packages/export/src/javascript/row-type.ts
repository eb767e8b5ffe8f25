import type { Model } from 'halfspace';
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
        text: 'string | number | boolean | bigint | null',
      } as const;
      const fields = features.columns.map(
        ({ name, kind }) => `  readonly ${literal(name)}?: ${kinds[kind]} | undefined;`,
      );
      return `/** A row: its fields by name. A field that is absent or null is a missing value; other fields are ignored. */\nexport interface Row {\n${fields.join('\n')}\n  readonly [other: string]: unknown;\n}`;
    }
    case 'named':
      return `/** A row: its features by name. A feature that is absent is 0. */\nexport type Row = Readonly<Record<string, number>>;`;
    default:
      return `/** A row: its numbers, or those that are not 0, by index. */\nexport type Row = ArrayLike<number> | { readonly indices: ArrayLike<number>; readonly values: ArrayLike<number> };`;
  }
}
