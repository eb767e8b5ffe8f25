import type { Block } from '../kernels/block.ts';
import type { Kernels, NameEntries, RowBlocks } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { NameTable } from '../kernels/name-table.ts';

/** The parameters of a parser, as plain data that can be sent to another thread. */
export type ParserRecipe =
  | { readonly format: 'libsvm' }
  /** `bits`: hash features to 2^bits. */
  | { readonly format: 'vw'; readonly bits: number }
  /** `known`: the names of a model, and no others; null: number names in order of appearance. */
  | { readonly format: 'vw'; readonly bits: null; readonly known: readonly string[] | null };

/** A text kernel with its tables. */
export interface TextParser {
  /** See `Kernels.parseLibsvm`. Enlarges the tables itself; never returns `enlargeNames`. */
  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number;
  /** True if the rows of the last call are compact; see `Kernels.parseLibsvm`. */
  readonly compact: boolean;
  /** The table that numbers the names; null if numbers are those in the data, or hashes. */
  readonly names: NameTable | null;
  /** Returns the names numbered since the last call; null if the parser numbers no names. */
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
  const names = new NameTable(kernels, recipe.known ?? first, { frozen: recipe.known !== null });
  return new CompactingParser(names, true, (text, rows, report, compactly) =>
    kernels.parseVw(text, rows, names, 0, report, compactly),
  );
}

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

  constructor(names: NameTable | null, compactly: boolean, parse: Parse) {
    this.names = names;
    this.#compactly = compactly;
    this.#parse = parse;
  }

  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number {
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
    if (names === null || names.frozen) return null;
    const [from, first] = [this.#bytes, this.#count];
    this.#bytes = names.bytes;
    this.#count = names.size;
    return { block: names.arena, from, to: this.#bytes, count: this.#count - first, first };
  }

  free(): void {
    this.names?.free();
  }
}
