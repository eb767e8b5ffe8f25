import type { CompactBatch, SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding, HashedEncoding, IndexedEncoding, NamedEncoding } from '../features/encoding.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { allUnknown, UnknownTally, type UnknownValues } from '../features/unknown.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Renumbering } from './renumbering.ts';
import { createTextParser, type NewNames, namesIn, type ParserRecipe, type TextParser } from './text-parser.ts';
import type { RowFacts } from './text-reader.ts';

/** A text format: how its lines are parsed, and how features become positions. */
export interface TextFormat {
  /** Plain data from which another thread can make the same parser. */
  readonly recipe: ParserRecipe;
  /** The parser of this thread. */
  readonly parser: TextParser;
  /**
   * Turns newly parsed rows, in order, into a batch whose indices are positions of weights.
   * @param names those that were new to the parser of these rows.
   */
  finish(batch: StoredBatch & { dimension: number }, facts: RowFacts, names: NewNames | null): StoredBatch;
  /**
   * Looks at newly parsed rows before they are finished. Returns false if positions depend on rows that follow; then
   * rows wait until it returns true, or until `settle` says that none follow.
   */
  meet?(batch: StoredBatch): boolean;
  /** Decides the positions that waited for rows: none follow. */
  settle?(): void;
  /** Makes a translation of another parser's feature numbers; null if the numbers are the same. */
  renumbering(): Renumbering | null;
  /** Complete once everything has been read. */
  encoding(): FeatureEncoding;
  /** The features that the model does not know; null when training. */
  readonly unknown: UnknownValues | null;
  /** Returns notes for the user on what was read so far. */
  notes(): readonly string[];
}

/** Larger indices get positions in order of appearance, so that a huge index does not need memory of its size. */
const directIndices = 1 << 22;

/** Indices below this always are positions. */
const leastDirect = 1 << 16;

/** Indices from {@link leastDirect} on are positions if the data have this number of values… */
const manyValues = 1 << 18;

/** …or if at least one of so many features occurs. Both depend on all data, so batches and threads change nothing. */
const mostPerOccurring = 16;

/**
 * The format of libsvm and svmlight.
 *
 * @param known the encoding of a model; features outside it are counted as unknown and get the value 0. Index 0 is
 *   unknown, too, if training did not have it; its weight is 0.
 * @param first the encoding of earlier data, in which features have their positions; others are added to it.
 */
export function libsvmFormat(kernels: Kernels, known?: IndexedEncoding, first = known): TextFormat {
  const far = new Map<number, number>(first?.far?.indices.map((index, k) => [index, k]) ?? []);
  const isOpen = known === undefined && first?.far === undefined && (first?.dimension ?? 0) <= leastDirect;
  /** Null: not yet decided, because few values were read. */
  let direct = isOpen ? null : (first?.far?.direct ?? directIndices);
  /** The features that occur until then. */
  const near = new Uint8Array(isOpen ? leastDirect : 0);
  const beyond = new Set<number>();
  let values = 0;
  let largest = -1;
  const recipe = { format: 'libsvm' } as const;
  let dimension = first?.dimension ?? 0;
  let firstIndex: 0 | 1 = first?.firstIndex ?? 1;
  const unknown = known === undefined ? null : new UnknownTally();
  let beginsAtZero = false;

  const farPosition = (index: number): number => {
    let k = far.get(index);
    if (k === undefined) {
      if (known !== undefined) return -1;
      k = far.size;
      far.set(index, k);
    }
    return direct! + k;
  };

  return {
    recipe,
    parser: createTextParser(kernels, recipe),
    renumbering: () => null,
    meet(batch) {
      if (direct !== null || batch.kind === 'dense') return true;
      const { indices, offsets, rows } = batch;
      values += offsets[rows]! - offsets[0]!;
      if (values >= manyValues) {
        direct = directIndices;
        return true;
      }
      for (let k = offsets[0]!; k < offsets[rows]!; k++) {
        const index = indices[k]!;
        if (index < leastDirect) near[index] = 1;
        else beyond.add(index);
        if (index > largest) largest = index;
      }
      return largest < leastDirect;
    },
    settle() {
      values = 0;
      if (direct !== null || largest < leastDirect) return;
      const occurring = near.reduce((count, mark) => count + mark, beyond.size);
      direct = largest >= mostPerOccurring * occurring ? leastDirect : directIndices;
    },
    finish(batch, { zeroIndex }) {
      if (zeroIndex) {
        beginsAtZero = true;
        if (known === undefined) firstIndex = 0;
      }
      if (batch.kind === 'dense') return batch;
      const limit = known === undefined ? (direct ?? leastDirect) : dimension;
      const stored = batch.offsets[batch.rows]!;
      if (unknown !== null) {
        unknown.values += stored;
        if (zeroIndex && firstIndex === 1) meetZeros(batch, unknown);
      }
      if (batch.dimension > limit) {
        const { indices, values } = batch;
        let largest = -1;
        for (let k = 0; k < stored; k++) {
          const index = indices[k]!;
          let position = index >= direct! ? farPosition(index) : index;
          if (unknown !== null && (position < 0 || position >= dimension)) {
            unknown.unknown++;
            unknown.meet(index);
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
        : { kind: 'indexed', dimension, firstIndex, far: { direct: direct!, indices: [...far.keys()] } },
    get unknown() {
      return unknown && allUnknown([unknown]);
    },
    notes: () => notesOf(unknown?.note('features', known === undefined ? null : causeOf(known, unknown, beginsAtZero))),
  };
}

/** Counts the values of index 0. */
function meetZeros(batch: SparseBatch | CompactBatch, unknown: UnknownTally): void {
  const { indices, offsets, rows } = batch;
  unknown.meet(0);
  // Indices rise within a row.
  for (let i = 0; i < rows; i++) if (offsets[i]! < offsets[i + 1]! && indices[offsets[i]!] === 0) unknown.unknown++;
}

/** Returns the likely reason for which a model does not know some numbered features; null: there is none. */
function causeOf({ firstIndex, dimension, far }: IndexedEncoding, unknown: UnknownTally, zero: boolean): string | null {
  const shifted = (here: number, there: number) =>
    `the indices begin at ${here} here and at ${there} in training, so every feature is taken for its neighbour`;
  if (zero && firstIndex === 1) return shifted(0, 1);
  const [only] = unknown.some(1);
  if (!zero && firstIndex === 0 && far === undefined && unknown.different === 1 && only === dimension)
    return `likely, ${shifted(1, 0)}`;
  return unknown.share < mostly ? null : 'the features of training were others, or numbered otherwise';
}

/** Share of unknown values from which on the data are likely of another kind than those of training. */
const mostly = 0.5;

function notesOf(note: string | null | undefined): readonly string[] {
  return note == null ? [] : [note];
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

const vwOptionNames = optionNames<VwOptions>()('bits known first');

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
  const unknown = known === undefined ? null : new UnknownTally();
  const knownNames = known?.kind === 'named' ? known.names : null;
  /** The names in the table when they were last asked for. */
  let named: NamedEncoding = { kind: 'named', names: [] };
  return {
    recipe,
    parser,
    renumbering: () => (names === null || knownNames !== null ? null : new Renumbering(kernels, names)),
    finish(batch, _, met) {
      if (unknown === null || batch.kind === 'dense') return batch;
      unknown.values += batch.offsets[batch.rows]!;
      if (knownNames === null || batch.dimension <= knownNames.length) return batch;
      for (const name of met === null ? [] : namesIn(met)) unknown.meet(name);
      unknown.unknown += withoutUnknown(batch, knownNames.length);
      return batch;
    },
    encoding() {
      if (names === null) return { kind: 'hashed', bits: hashed! };
      if (known !== undefined) return known;
      if (named.names.length !== names.size) named = { kind: 'named', names: names.names() };
      return named;
    },
    get unknown() {
      return unknown && allUnknown([unknown]);
    },
    notes: () => notesOf(unknown?.note('features', causeOfNames(knownNames, unknown))),
  };
}

/** Removes the features from number `known` on. @returns their number. */
function withoutUnknown(batch: (SparseBatch | CompactBatch) & { dimension: number }, known: number): number {
  const { indices, values, offsets, rows } = batch;
  let kept = 0;
  let from = 0;
  for (let i = 0; i < rows; i++) {
    const to = offsets[i + 1]!;
    for (; from < to; from++) {
      const index = indices[from]!;
      if (index >= known) continue;
      indices[kept] = index;
      values[kept++] = values[from]!;
    }
    offsets[i + 1] = kept;
  }
  batch.dimension = known;
  return from - kept;
}

/** Returns the likely reason for which a model does not know some named features; null: there is none. */
function causeOfNames(known: readonly string[] | null, unknown: UnknownTally): string | null {
  if (known === null || unknown.share < mostly) return null;
  const bare = new Map(known.map((name) => [name.slice(name.indexOf('^') + 1), name]));
  for (const name of unknown.some(100)) {
    const other = bare.get(String(name).slice(String(name).indexOf('^') + 1));
    if (other !== undefined) return `the namespaces are others: ${name} here is ${other} in training`;
  }
  return 'the features of training were others, or named otherwise';
}
