import { HalfspaceError, quote } from '../errors.ts';
import type { Model } from '../model/model.ts';

/** Returns the classes of a model, and of a table the names and levels of its columns. */
export function textsOf({ classes, features }: Model): readonly string[] {
  const columns = features.kind === 'table' ? features.columns : [];
  return [
    ...classes,
    ...columns.flatMap((column) => [column.name, ...(column.kind === 'category' ? column.levels : [])]),
  ];
}

/** Refuses what is no text in UTF-8, or ends early as a text of C. */
export function checkTexts(texts: readonly string[]): void {
  const odd = texts.find((text) => /[\0\p{Surrogate}]/u.test(text));
  if (odd !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `expected classes, names and levels without NUL and halves of characters; got ${quote(odd)}: use JavaScript, or rename it in the data and train again`,
    );
}
