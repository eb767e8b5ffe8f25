import type { Block } from '../kernels/block.ts';
import type { Kernels, RowBlocks } from '../kernels/kernels.ts';
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
  free(): void;
}

/** @param first names that have the first numbers, if the recipe has no known names. */
export function createTextParser(kernels: Kernels, recipe: ParserRecipe, first: readonly string[] = []): TextParser {
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
  const names = new NameTable(kernels, recipe.known ?? first, { frozen: recipe.known !== null });
  return {
    parse(text, rows, report) {
      let status = kernels.parseVw(text, rows, names, 0, report);
      while (status === layout.statusEnlargeNames) {
        names.enlarge();
        // Return the rows before the line that needs more room first.
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

/** Parses to compact rows until a line does not fit them, then to sparse rows. */
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
      // Return the rows before that line first.
      if (report.array[layout.reportLines]! > 0) return layout.statusFull;
    }
    this.compact = false;
    return this.#kernels.parseLibsvm(text, rows, report, false);
  }

  free(): void {}
}
