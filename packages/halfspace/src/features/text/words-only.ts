import type { SparseBatch, StoredBatch } from '../../batch.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import { decodeWhole, encodeNumbers } from '../../numbers.ts';
import { columnWidth, dimension, type NamedTerms, type TableEncoding } from '../table-encoding.ts';
import { isOfCharacters } from './terms.ts';

/** Features to leave out, [from, to). */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * A table encoding without the listed n-grams of characters of some texts, and rows in it: the same, bit for bit, as if
 * they had never been there, because words and characters are weighed apart.
 */
export class WordsOnly {
  readonly encoding: TableEncoding;
  readonly #gaps: readonly Gap[];

  /** @param names texts of listed n-grams of words and of characters. */
  constructor(full: TableEncoding, names: readonly string[]) {
    const gaps: Gap[] = [];
    let first = 0;
    const columns = full.columns.map((column) => {
      const from = first;
      first += columnWidth(column);
      if (column.kind !== 'text' || !names.includes(column.name)) return column;
      const terms = column.terms as NamedTerms;
      const { length } = terms.names.filter(isOfCharacters);
      gaps.push({ from, to: from + length });
      const frequencies = terms.frequencies && encodeNumbers(decodeWhole(terms.frequencies)!.slice(length));
      return { ...column, characters: null, terms: { ...terms, names: terms.names.slice(length), frequencies } };
    });
    this.encoding = { ...full, columns };
    this.#gaps = gaps;
  }

  /** Returns rows of the full encoding in this one. */
  batch(batch: StoredBatch): SparseBatch {
    const { rows } = batch;
    const offsets = new Uint32Array(rows + 1);
    const view = new BatchView(batch);
    let most = 0;
    for (let i = 0; i < rows; i++) most += view.open(i).count;
    const indices = new Uint32Array(most);
    const values = new Float64Array(most);
    let end = 0;
    for (let i = 0; i < rows; i++) {
      view.open(i);
      let gap = 0;
      let left = 0;
      for (let k = 0; k < view.count; k++) {
        const feature = view.feature(k);
        for (; gap < this.#gaps.length && feature >= this.#gaps[gap]!.to; gap++)
          left += this.#gaps[gap]!.to - this.#gaps[gap]!.from;
        if (gap < this.#gaps.length && feature >= this.#gaps[gap]!.from) continue;
        indices[end] = feature - left;
        values[end++] = view.value(k);
      }
      offsets[i + 1] = end;
    }
    return {
      kind: 'sparse',
      rows,
      dimension: dimension(this.encoding),
      labels: batch.labels.slice(0, rows),
      importance: batch.importance?.slice(0, rows) ?? null,
      offsets,
      indices: indices.subarray(0, end),
      values: values.subarray(0, end),
    };
  }
}
