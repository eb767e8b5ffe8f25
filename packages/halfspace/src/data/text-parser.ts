import type { Block } from '../kernels/block.ts';
import type { Kernels, NameEntries, RowBlocks } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { NameTable } from '../kernels/name-table.ts';

/** The parameters of a parser, as plain data that can be sent to another thread. */
export type ParserRecipe =
  | { readonly format: 'libsvm' }
  /** `bits`: hash features to 2^bits. */
  | { readonly format: 'vw'; readonly bits: number }
  /**
   * `known`: the names of a model, which have the first numbers; others are met, and forgotten if there are many. Null:
   * all names are kept.
   */
  | { readonly format: 'vw'; readonly bits: null; readonly known: readonly string[] | null };

/** A text kernel with its tables. */
export interface TextParser {
  /** See `Kernels.parseLibsvm`. Enlarges the tables itself; never returns `enlargeNames`. */
  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number;
  /** True if the rows of the last call are compact; see `Kernels.parseLibsvm`. */
  readonly compact: boolean;
  /** The table that numbers the names; null if numbers are those in the data, or hashes. */
  readonly names: NameTable | null;
  /** Returns the names numbered since the last call, without those of the recipe; null if names have no numbers. */
  newNames(): NewNames | null;
  free(): void;
}

/** Names in the order of their numbers. */
export interface NewNames extends NameEntries {
  /** The number of the first one. */
  readonly first: number;
}

/** @param first names that have the first numbers, if the recipe has no known names. */
export function createTextParser(kernels: Kernels, recipe: ParserRecipe, first: readonly string[] = []): TextParser {
  if (recipe.format === 'libsvm')
    return new CompactingParser(null, true, (text, rows, report, compactly) =>
      kernels.parseLibsvm(text, rows, report, compactly),
    );
  if (recipe.bits !== null) {
    const { bits } = recipe;
    return new CompactingParser(null, bits <= 16, (text, rows, report, compactly) =>
      kernels.parseVw(text, rows, null, bits, report, compactly),
    );
  }
  const names = new NameTable(kernels, recipe.known ?? first);
  return new CompactingParser(
    names,
    true,
    (text, rows, report, compactly) => kernels.parseVw(text, rows, names, 0, report, compactly),
    recipe.known !== null,
  );
}

/** Returns a copy of names, which stays when the table forgets them. */
function copied({ block, from, to }: NameEntries): Pick<NameEntries, 'block' | 'from' | 'to'> {
  const array = block.array.slice(from, to);
  const { length } = array;
  return { block: { array, length, resize() {}, free() {} }, from: 0, to: length };
}

/** Yields names as text. */
export function* namesIn({ block, from, to }: NameEntries): Generator<string> {
  const { array } = block;
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let p = from; p < to; ) {
    const start = p + layout.nameHeaderBytes;
    p = start + view.getUint32(p + 4, true);
    // Decoders refuse shared memory.
    yield decoder.decode(array.slice(start, p));
  }
}

/** Number of names that a model does not know before they are forgotten. */
const mostForeignNames = 1 << 16;

type Parse = (text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly: boolean) => number;

/** Parses to compact rows until a line does not fit them, then to sparse rows. */
class CompactingParser implements TextParser {
  readonly names: NameTable | null;
  readonly #parse: Parse;
  #compactly: boolean;
  compact = false;
  /** Bytes and number of the names that were returned. */
  #bytes = 0;
  #count = 0;
  /** Bytes and number of the names to keep if there are many others; null: all names are kept. */
  readonly #kept: { readonly bytes: number; readonly count: number } | null;

  constructor(names: NameTable | null, compactly: boolean, parse: Parse, keepsFirst = false) {
    this.names = names;
    this.#compactly = compactly;
    this.#parse = parse;
    this.#kept = names === null || !keepsFirst ? null : { bytes: names.bytes, count: names.size };
    if (this.#kept !== null) this.#setReturned(this.#kept);
  }

  #setReturned({ bytes, count }: { readonly bytes: number; readonly count: number }): void {
    this.#bytes = bytes;
    this.#count = count;
  }

  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number {
    // All names up to now were returned, and no number of theirs is in use.
    if (this.#kept !== null && this.#count - this.#kept.count > mostForeignNames) {
      this.names!.truncate(this.#kept.count, this.#kept.bytes);
      this.#setReturned(this.#kept);
    }
    for (;;) {
      this.compact = this.#compactly;
      const status = this.#parse(text, rows, report, this.#compactly);
      if (status === layout.statusEnlargeNames) this.names!.enlarge();
      else if (status === layout.statusNotCompact) this.#compactly = false;
      else return status;
      // Return the rows before that line first.
      if (report.array[layout.reportLines]! > 0) return layout.statusFull;
    }
  }

  newNames(): NewNames | null {
    const { names } = this;
    if (names === null) return null;
    const [from, first] = [this.#bytes, this.#count];
    this.#setReturned({ bytes: names.bytes, count: names.size });
    const entries = { block: names.arena, from, to: this.#bytes, count: this.#count - first, first };
    return this.#kept === null ? entries : { ...entries, ...copied(entries) };
  }

  free(): void {
    this.names?.free();
  }
}
