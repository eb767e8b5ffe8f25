import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from '../features/encoding.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Renumbering } from './renumbering.ts';
import { createTextParser, type ParserRecipe, type TextParser } from './text-parser.ts';
import type { RowFacts } from './text-reader.ts';

/** A text format: how its lines are parsed, and how features become positions. */
export interface TextFormat {
  /** Plain data from which another thread can make the same parser. */
  readonly recipe: ParserRecipe;
  /** The parser of this thread. */
  readonly parser: TextParser;
  /** Turns newly parsed rows, in order, into a batch whose indices are positions of weights. */
  finish(batch: StoredBatch & { dimension: number }, facts: RowFacts): StoredBatch;
  /** Makes a translation of another parser's feature numbers; null if the numbers are the same. */
  renumbering(): Renumbering | null;
  /** Complete once everything has been read. */
  encoding(): FeatureEncoding;
  /** Occurrences of features that the model does not know; 0 when training. */
  readonly unknown: number;
}

/** Larger indices get positions in order of appearance, so that a huge index does not need memory of its size. */
const directIndices = 1 << 22;

/**
 * The format of libsvm and svmlight.
 *
 * @param known the encoding of a model; features outside it are counted as unknown and get the value 0.
 * @param first the encoding of earlier data, in which features have their positions; others are added to it.
 */
export function libsvmFormat(kernels: Kernels, known?: IndexedEncoding, first = known): TextFormat {
  const far = new Map<number, number>(first?.far?.indices.map((index, k) => [index, k]) ?? []);
  const direct = first?.far?.direct ?? directIndices;
  const recipe = { format: 'libsvm' } as const;
  let dimension = first?.dimension ?? 0;
  let firstIndex: 0 | 1 = first?.firstIndex ?? 1;
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

/** Options of Vowpal Wabbit text. Features are kept by name, or hashed. */
export interface VwOptions {
  /** Hash to 2^bits positions with the hash of Vowpal Wabbit, bits in [1, 28]. Default: keep names. */
  readonly bits?: number | undefined;
  /** The encoding of a model; names outside it are counted as unknown and left out. */
  readonly known?: NamedEncoding | HashedEncoding | undefined;
  /** The encoding of earlier data, in which features have their positions; other names are added to it. */
  readonly first?: NamedEncoding | HashedEncoding | undefined;
}

/** @throws HalfspaceError `option-invalid`. */
export function checkBits(bits: number | undefined): void {
  if (bits !== undefined && !(Number.isInteger(bits) && bits >= 1 && bits <= 28))
    throw new HalfspaceError('option-invalid', `bits must be a whole number in [1, 28]; got ${quote(bits)}`);
}

const vwOptionNames: OptionNames<VwOptions> = { bits: true, known: true, first: true };

/** The format of Vowpal Wabbit. @throws HalfspaceError `option-invalid`. */
export function vwFormat(kernels: Kernels, options: VwOptions = {}): TextFormat {
  checkOptionNames(options, vwOptionNames, 'vwFormat');
  const { bits, known, first = known } = options;
  const hashed = first?.kind === 'hashed' ? first.bits : first === undefined ? bits : undefined;
  checkBits(hashed);
  const recipe: ParserRecipe =
    hashed !== undefined
      ? { format: 'vw', bits: hashed }
      : { format: 'vw', bits: null, known: known?.kind === 'named' ? known.names : null };
  const parser = createTextParser(kernels, recipe, first?.kind === 'named' ? first.names : []);
  const { names } = parser;
  let unknown = 0;
  /** The names in the table when they were last asked for. */
  let named: NamedEncoding = { kind: 'named', names: [] };
  return {
    recipe,
    parser,
    renumbering: () => (names === null || names.frozen ? null : new Renumbering(kernels, names)),
    finish(batch, facts) {
      unknown += facts.unknown;
      return batch;
    },
    encoding() {
      if (names === null) return { kind: 'hashed', bits: hashed! };
      if (known !== undefined) return known;
      if (named.names.length !== names.size) named = { kind: 'named', names: names.names() };
      return named;
    },
    get unknown() {
      return unknown;
    },
  };
}
