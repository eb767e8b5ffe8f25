import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';

const pattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Tests if a name may be that of a model. */
export function isModelName(name: unknown): name is string {
  return typeof name === 'string' && pattern.test(name);
}

/** Checks the name of a model, which is also that of a folder. @throws HalfspaceError `option-invalid`. */
export function checkModelName(name: unknown): asserts name is string {
  if (isModelName(name)) return;
  throw new HalfspaceError(
    'option-invalid',
    `expected the name of a model, 1 to 64 of a–z, 0–9, ".", "_" and "-" that begin with a letter or a digit; got ${quote(name)}`,
  );
}
