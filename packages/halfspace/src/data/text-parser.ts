import type { Block } from '../kernels/block.ts';
import type { Kernels, RowBlocks } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { NameTable } from '../kernels/name-table.ts';

/** What a parser must know of a format, as plain data that can cross to another thread. */
export type ParserRecipe =
  | { readonly format: 'libsvm' }
  /** `bits`: features are hashed to 2^bits. */
  | { readonly format: 'vw'; readonly bits: number }
  /** `known`: the names of a model, and no others; null: names are numbered as they come. */
  | { readonly format: 'vw'; readonly bits: null; readonly known: readonly string[] | null };

/** A text kernel with the tables that it works with. */
export interface TextParser {
  /** See `Kernels.parseLibsvm`. Enlarges its tables by itself; never returns `enlargeNames`. */
  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number;
  /** Whether the rows of the last call are compact; see `Kernels.parseLibsvm`. */
  readonly compact: boolean;
  /** The names that features have been numbered by; null where numbers are the data's own, or hashes. */
  readonly names: NameTable | null;
  free(): void;
}

export function createTextParser(kernels: Kernels, recipe: ParserRecipe): TextParser {
  if (recipe.format === 'libsvm') return new LibsvmParser(kernels);
  if (recipe.bits !== null) {
    const { bits } = recipe;
    return {
      parse: (text, rows, report) => kernels.parseVw(text, rows, null, bits, report),
      compact: false,
      names: null,
      free() {},
    };
  }
  const names = new NameTable(kernels, recipe.known ?? [], { frozen: recipe.known !== null });
  return {
    parse(text, rows, report) {
      let status = kernels.parseVw(text, rows, names, 0, report);
      while (status === layout.statusEnlargeNames) {
        names.enlarge();
        // What was read before the line that lacked room is delivered first.
        if (report.array[layout.reportRows]! > 0) return layout.statusFull;
        status = kernels.parseVw(text, rows, names, 0, report);
      }
      return status;
    },
    compact: false,
    names,
    free: () => names.free(),
  };
}

/** Reads compactly until something comes that compact rows cannot have. */
class LibsvmParser implements TextParser {
  readonly names = null;
  readonly #kernels: Kernels;
  #compactly = true;
  compact = true;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  parse(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>): number {
    if (this.#compactly) {
      const status = this.#kernels.parseLibsvm(text, rows, report, true);
      if (status !== layout.statusNotCompact) return status;
      this.#compactly = false;
      // What was read before that line is delivered first.
      if (report.array[layout.reportLines]! > 0) return layout.statusFull;
    }
    this.compact = false;
    return this.#kernels.parseLibsvm(text, rows, report, false);
  }

  free(): void {}
}
