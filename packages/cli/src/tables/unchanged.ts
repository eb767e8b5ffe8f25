import type { Table } from 'halfspace/internal';
import type { FileState } from 'halfspace/node';

/**
 * A table whose file must stay as it was when `state` was taken. Every reading compares it at the end, and where something failed: a
 * file that is cut while it is read may end in good order.
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
