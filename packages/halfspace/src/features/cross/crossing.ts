import type { SparseBatch, StoredBatch } from '../../batch.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import { columnWidth, dimension, type TableCross, type TableEncoding } from '../table-encoding.ts';
import { pairFeature } from './pair.ts';

/** Adds crosses to a table, and their features to its rows. */
export class Crossing {
  readonly encoding: TableEncoding;
  readonly #dimension: number;
  readonly #columnOf: Int16Array;
  readonly #pairs: readonly { readonly a: number; readonly b: number; readonly of: (a: number, b: number) => number }[];
  readonly #used: number;

  constructor(encoding: TableEncoding, crosses: readonly TableCross[]) {
    // In the order of an encoding that was fitted with crosses, so that model files do not differ.
    const { leftOut, ...rest } = encoding;
    this.encoding = { ...rest, crosses: [...(encoding.crosses ?? []), ...crosses], leftOut };
    this.#dimension = dimension(this.encoding);
    let first = 0;
    const ranges = new Map<string, { readonly first: number; readonly width: number }>();
    for (const column of encoding.columns) {
      ranges.set(column.name, { first, width: columnWidth(column) });
      first += columnWidth(column);
    }
    const used = [...new Set(crosses.flatMap(({ columns }) => columns))];
    this.#used = used.length;
    this.#columnOf = new Int16Array(dimension(encoding)).fill(-1);
    used.forEach((name, c) => {
      const range = ranges.get(name)!;
      this.#columnOf.fill(c, range.first, range.first + range.width);
    });
    let at = dimension(encoding);
    this.#pairs = crosses.map((cross, k) => {
      const [one, other] = cross.columns;
      const of = pairFeature(ranges.get(one)!, ranges.get(other)!, cross, at);
      at = dimension({ ...encoding, crosses: [...(encoding.crosses ?? []), ...crosses.slice(0, k + 1)] });
      return { a: used.indexOf(one), b: used.indexOf(other), of };
    });
  }

  /** Returns rows with the features of the crosses; new arrays. */
  batch(batch: StoredBatch): SparseBatch {
    const { rows } = batch;
    const offsets = new Uint32Array(rows + 1);
    const view = new BatchView(batch);
    let most = 0;
    for (let i = 0; i < rows; i++) most += view.open(i).count + this.#pairs.length;
    const indices = new Uint32Array(most);
    const values = new Float64Array(most);
    const found = new Int32Array(this.#used);
    const [columnOf, pairs] = [this.#columnOf, this.#pairs];
    let end = 0;
    for (let i = 0; i < rows; i++) {
      found.fill(-1);
      view.open(i);
      for (let k = 0; k < view.count; k++, end++) {
        const feature = view.feature(k);
        indices[end] = feature;
        values[end] = view.value(k);
        const c = columnOf[feature]!;
        if (c >= 0) found[c] = feature;
      }
      for (const { a, b, of } of pairs) {
        const feature = of(found[a]!, found[b]!);
        if (feature < 0) continue;
        indices[end] = feature;
        values[end++] = 1;
      }
      offsets[i + 1] = end;
    }
    const labels = batch.labels.slice(0, rows);
    const importance = batch.importance?.slice(0, rows) ?? null;
    return { kind: 'sparse', rows, dimension: this.#dimension, labels, importance, offsets, indices, values };
  }
}
