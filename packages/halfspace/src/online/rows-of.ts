import { BagRows, type BagRowsState } from './bag-rows.ts';
import { EncodedRows, type EncodedRowsState } from './encoded-rows.ts';
import { isNumbers } from './given.ts';
import { NumberRows, type NumberRowsState } from './number-rows.ts';
import { type OnlinePlan, readAsOf } from './options.ts';
import { RecordRows, type RecordRowsState } from './record-rows.ts';
import type { OnlineRows, RowsState } from './rows.ts';
import type { HeldReading } from './undecided-column.ts';

/** Creates the reader of rows like the first one. */
export function rowsFor(plan: OnlinePlan, row: unknown): OnlineRows {
  return rowsOf(plan, { form: isNumbers(row) ? 'numbers' : plan.columns === 'bag' ? 'bags' : 'records' });
}

/** Creates the reader of rows of a state. @param held how fields are read until they are released. */
export function rowsOf(
  { label, columns, scale, maxFeatures, maxFields }: OnlinePlan,
  state: RowsState,
  held?: ReadonlyMap<string, HeldReading>,
): OnlineRows {
  if (state.form === 'encoded') return new EncodedRows(state as EncodedRowsState);
  if (state.form === 'numbers')
    return new NumberRows(maxFeatures, 'dimension' in state ? (state as NumberRowsState) : undefined);
  if (columns === 'bag') return new BagRows(label, maxFeatures, 'names' in state ? (state as BagRowsState) : undefined);
  const kinds = new Map(Object.entries(columns).map(([name, kind]) => [name, readAsOf(kind)]));
  return new RecordRows(
    { label, kinds, scale, maxFeatures, maxFields },
    'columns' in state ? (state as RecordRowsState) : undefined,
    held,
  );
}
