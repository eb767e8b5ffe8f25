import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Renumbering } from './renumbering.ts';
import { createTextParser, type ParserRecipe, type TextParser } from './text-parser.ts';
import type { RowFacts } from './text-reader.ts';

/** One kind of text: how its lines are parsed and how its features become positions. */
export interface TextFormat {
  /** What a parser elsewhere must know. */
  readonly recipe: ParserRecipe;
  /** The parser of this thread. */
  readonly parser: TextParser;
  /** Turns freshly parsed rows, in their order, into a batch whose indices are positions of weights. */
  finish(batch: StoredBatch & { dimension: number }, facts: RowFacts): StoredBatch;
  /** For the rows of one other parser that numbers features by itself; null where its numbers are those of this format. */
  renumbering(): Renumbering | null;
  /** Complete once everything is read. */
  encoding(): FeatureEncoding;
  /** Features met that the model does not know, each occurrence counted; only when reading for a model. */
  readonly unknown: number;
}

/** Indices from here on are given positions in the order they come, so that one huge index does not cost its size in memory. */
const directIndices = 1 << 22;

/**
 * libsvm / svmlight text.
 *
 * @param known the encoding of a model that is to be asked; features it does not have are counted as unknown and get value 0.
 */
export function libsvmFormat(kernels: Kernels, known?: IndexedEncoding): TextFormat {
  const far = new Map<number, number>(known?.far?.indices.map((index, k) => [index, k]) ?? []);
  const direct = known?.far?.direct ?? directIndices;
  const recipe = { format: 'libsvm' } as const;
  let dimension = known?.dimension ?? 0;
  let firstIndex: 0 | 1 = known?.firstIndex ?? 1;
  let unknown = 0;

  const farPosition = (index: number): number => {
    let k = far.get(index);
    if (k === undefined) {
      if (known !== undefined) return -1;
      k = far.size;
      far.set(index, k);
    }
    return direct + k;
  };

  return {
    recipe,
    parser: createTextParser(kernels, recipe),
    renumbering: () => null,
    finish(batch, { zeroIndex }) {
      if (zeroIndex) firstIndex = 0;
      if (batch.kind === 'dense') return batch;
      const limit = known === undefined ? direct : dimension;
      if (batch.dimension > limit) {
        const { indices, values } = batch;
        const stored = batch.offsets[batch.rows]!;
        let largest = -1;
        for (let k = 0; k < stored; k++) {
          let position = indices[k]!;
          if (position >= direct) position = farPosition(position);
          if (known !== undefined && (position < 0 || position >= dimension)) {
            unknown++;
            position = 0;
            values[k] = 0;
          }
          indices[k] = position;
          if (position > largest) largest = position;
        }
        batch.dimension = largest + 1;
      }
      if (known === undefined) dimension = Math.max(dimension, batch.dimension);
      return batch;
    },
    encoding: () =>
      far.size === 0
        ? { kind: 'indexed', dimension, firstIndex }
        : { kind: 'indexed', dimension, firstIndex, far: { direct, indices: [...far.keys()] } },
    get unknown() {
      return unknown;
    },
  };
}

/** Features of Vowpal Wabbit text are kept by name, or hashed to 2^bits. */
export interface VwOptions {
  /** Hash as Vowpal Wabbit does, to 2^bits positions, bits in [1, 28]. Default: keep names. */
  readonly bits?: number | undefined;
  /** The encoding of a model that is to be asked; names it does not have are counted as unknown and left out. */
  readonly known?: NamedEncoding | HashedEncoding | undefined;
}

/** Vowpal Wabbit text. */
export function vwFormat(kernels: Kernels, { bits, known }: VwOptions = {}): TextFormat {
  const hashed = known?.kind === 'hashed' ? known.bits : known === undefined ? bits : undefined;
  if (hashed !== undefined && !(Number.isInteger(hashed) && hashed >= 1 && hashed <= 28))
    throw new HalfspaceError('option-invalid', `bits must be a whole number in [1, 28]; got ${quote(hashed)}`);
  const recipe: ParserRecipe =
    hashed !== undefined
      ? { format: 'vw', bits: hashed }
      : { format: 'vw', bits: null, known: known?.kind === 'named' ? known.names : null };
  const parser = createTextParser(kernels, recipe);
  const { names } = parser;
  let unknown = 0;
  return {
    recipe,
    parser,
    renumbering: () => (names === null || names.frozen ? null : new Renumbering(kernels, names)),
    finish(batch, facts) {
      unknown += facts.unknown;
      return batch;
    },
    encoding: () =>
      names === null ? { kind: 'hashed', bits: hashed! } : (known ?? { kind: 'named', names: names.names() }),
    get unknown() {
      return unknown;
    },
  };
}
