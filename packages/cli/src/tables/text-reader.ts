import type { DuckDBDataChunk } from '@duckdb/node-api';
import type { WordCells } from 'halfspace/internal/tables';
import type { CellReader } from './cell-reader.ts';
import { textOf } from './vectors.ts';

/** Reads cells of text. They hardly ever repeat, so every chunk has a new list of words, one per row. */
export class TextReader implements CellReader {
  readonly select: readonly string[];
  #codes = new Uint32Array(0);

  constructor(text: string) {
    this.select = [text];
  }

  read(chunk: DuckDBDataChunk, first: number): WordCells {
    const rows = chunk.rowCount;
    if (this.#codes.length < rows) this.#codes = Uint32Array.from({ length: rows }, (_, i) => i);
    return { codes: this.#codes, words: Array.from({ length: rows }, (_, i) => textOf(chunk, first, i)) };
  }
}
