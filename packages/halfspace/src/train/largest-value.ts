import { HalfspaceError } from '../errors.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import type { RunExamples } from './run-examples.ts';

/** Adds the row with the largest value to the error of an overflow, if the examples were kept. */
export function atLargestValue(error: unknown, run: RunExamples): unknown {
  if (!(error instanceof HalfspaceError && error.code === 'weights-overflow' && run.intake.complete)) return error;
  let largest = -1;
  let row = 0;
  let first = 0;
  for (const batch of run.intake.store.batches()) {
    for (let i = 0; i < batch.rows; i++)
      forEachNonzero(batch, i, (_, x) => {
        const size = Math.abs(x) * (batch.importance?.[i] ?? 1);
        if (size < largest) return;
        const number = run.rowOf(first + i, 0);
        // The first one in the data, whatever their order in the store.
        row = size === largest ? Math.min(row, number) : number;
        largest = size;
      });
    first += batch.rows;
  }
  return error.at({ source: run.source.name, row: row + 1 });
}
