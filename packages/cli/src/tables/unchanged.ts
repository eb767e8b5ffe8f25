import type { Table } from 'halfspace/internal';
import type { FileState } from 'halfspace/node';

/**
 * Returns a table that checks at the end of every scan, and after a fault, that its file is as it was when `state` was
 * taken: a file that is cut while it is read may end without a fault.
 */
export function unchanged(table: Table, state: FileState): Table {
  return {
    ...table,
    scan(wanted, label, options) {
      const scan = table.scan(wanted, label, options);
      return {
        rest: (column) => scan.rest(column),
        async *chunks() {
          try {
            yield* scan.chunks();
          } catch (error) {
            state.check();
            throw error;
          }
          state.check();
        },
      };
    },
  };
}
