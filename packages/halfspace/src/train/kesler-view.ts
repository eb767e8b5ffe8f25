/**
 * Kesler's construction: a linear model of K classes has weights W = (w₁, …, w_K) and is right on a row (x, y) if
 * (w_y − wₖ)·(x, c) > 0 for every other class k. So it is right on all rows if W separates the vectors
 * z = (e_y − eₖ) ⊗ (x, c) from the origin. The margin of W is min W·z/‖W‖. Source: Duda & Hart 1973, section 5.12.
 */
import type { SparseBatch } from '../batch.ts';
import type { ReadableStore } from '../data/store.ts';
import { BatchView, forEachNonzero } from '../kernels/batch-view.ts';

/**
 * Returns a view of examples as the vectors z, all with the label +1: K − 1 for each example, in the order of the
 * classes. They have K·(d + 1) components; the constant is component d of each class.
 *
 * @param store labels are the numbers of classes, from 0.
 * @param constant c; 0: none.
 */
export function keslerView(store: ReadableStore, classes: number, constant: number): ReadableStore {
  const others = classes - 1;
  const width = store.dimension + 1;
  const terms = store.stored + (constant === 0 ? 0 : store.rows);
  return {
    chunks: store.chunks,
    dimension: classes * width,
    rows: others * store.rows,
    stored: 2 * others * terms,
    load(chunk): SparseBatch {
      const batch = store.load(chunk);
      const view = new BatchView(batch);
      const rows = others * batch.rows;
      const offsets = new Uint32Array(rows + 1);
      const indices: number[] = [];
      const values: number[] = [];
      let at = 0;
      for (let i = 0; i < batch.rows; i++) {
        const own = batch.labels[i]!;
        for (let other = 0; other < classes; other++) {
          if (other === own) continue;
          for (const k of own < other ? [own, other] : [other, own]) {
            const sign = k === own ? 1 : -1;
            forEachNonzero(view, i, (j, x) => {
              indices.push(k * width + j);
              values.push(sign * x);
            });
            if (constant === 0) continue;
            indices.push(k * width + store.dimension);
            values.push(sign * constant);
          }
          offsets[++at] = indices.length;
        }
      }
      return {
        kind: 'sparse',
        rows,
        dimension: classes * width,
        labels: new Float64Array(rows).fill(1),
        importance: null,
        offsets,
        indices: Uint32Array.from(indices),
        values: Float64Array.from(values),
      };
    },
  };
}
