import type { ExampleSource } from './source.ts';
import { selectRows } from './split.ts';
import { wrappedSource } from './wrapped-source.ts';

/** Returns a source without one example, with the features of all. @param row the example's number, from 0. */
export function withoutRow(source: ExampleSource, row: number): ExampleSource {
  return wrappedSource(source, {
    async *batches() {
      let first = 0;
      for await (const batch of source.batches()) {
        const { rows } = batch;
        const at = row - first;
        first += rows;
        if (at < 0 || at >= rows) yield batch;
        else
          yield selectRows(
            batch,
            Array.from({ length: rows - 1 }, (_, i) => (i < at ? i : i + 1)),
          );
      }
    },
  });
}
