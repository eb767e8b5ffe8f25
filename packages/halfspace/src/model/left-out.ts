import { HalfspaceError } from '../errors.ts';

/**
 * Returns a function that refuses a kind of model, of features or of columns that an entry of the library leaves out.
 *
 * @param got the kind.
 * @param entry the import that has it.
 */
export function leftOut(got: string, entry: string): () => never {
  return () => {
    throw new HalfspaceError(
      'option-invalid',
      `expected a model that this import can ask; got one with ${got}: import from "${entry}"`,
    );
  };
}
