import { HalfspaceError } from '../../errors.ts';

/** The scores of a row in SQL. */
export interface SqlScores {
  readonly expressions: readonly string[];
  /** Lines for the comment: how exact the scores are. */
  readonly exactness: readonly string[];
}

/** Returns the error for a model that SQL cannot hold. */
export function refused(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected}; got ${got}`);
}
