import type { Batch, SparseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from '../features/encoding.ts';
import { type Block, type Kernels, parseStatus, type RowBlocks, report as slots } from '../kernels/kernels.ts';
import { NameTable } from '../kernels/name-table.ts';

/** One kind of text: how its lines are parsed and how its features become positions. */
export interface TextFormat {
  readonly name: 'libsvm' | 'vw';
  /** See `Kernels.parseLibsvm`. May enlarge tables of its own; never returns `enlargeNames`. */
  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number;
  /** Turns freshly parsed rows into a batch whose indices are positions of weights. */
  finish(batch: SparseBatch & { dimension: number }): Batch;
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
    name: 'libsvm',
    parse(text, rows, report) {
      const status = kernels.parseLibsvm(text, rows, report);
      if (report.array[slots.zeroIndex] === 1) firstIndex = 0;
      return status;
    },
    finish(batch) {
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
  const names =
    hashed !== undefined
      ? null
      : new NameTable(kernels, known?.kind === 'named' ? known.names : [], { frozen: known !== undefined });
  let unknown = 0;
  return {
    name: 'vw',
    parse(text, rows, report) {
      let status = kernels.parseVw(text, rows, names, hashed ?? 0, report);
      while (status === parseStatus.enlargeNames) {
        names!.enlarge();
        // What was read before the line that lacked room is delivered first.
        if (report.array[slots.rows]! > 0) return parseStatus.full;
        status = kernels.parseVw(text, rows, names, hashed ?? 0, report);
      }
      unknown += report.array[slots.unknown]!;
      return status;
    },
    finish: (batch) => batch,
    encoding: () =>
      names === null ? { kind: 'hashed', bits: hashed! } : (known ?? { kind: 'named', names: names.names() }),
    get unknown() {
      return unknown;
    },
  };
}
