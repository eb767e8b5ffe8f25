import type { Members } from '../json.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ModelCommon } from './common.ts';
import type { RowScorer } from './row-scorer.ts';
import type { Scorer } from './scorer.ts';

/** The parts of a model that every file has, whatever its kind. */
export type DecodedCommon = ModelCommon & { readonly classes: readonly string[] };

/** The functions in which kinds of models differ. */
export interface ModelKind<M> {
  /** Returns the members of a model file that only this kind has, in the order of the file. */
  readonly encode: (model: M) => object;
  /** Reads those members from a file of anyone. @throws HalfspaceError `model-invalid`. */
  readonly decode: (from: Members, common: DecodedCommon) => M;
  /** Creates a scorer of batches in kernel memory. */
  readonly createScorer: (kernels: Kernels, model: M) => Scorer;
  /** Creates a scorer of single raw rows. @throws HalfspaceError `option-invalid` for models of hashed text. */
  readonly createRowScorer: (model: M) => RowScorer;
}
