import type { Table } from 'halfspace/internal';
import type { FileState } from 'halfspace/node';

/**
 * Returns a table that checks at the end of every scan, and after an error, that its file still has the given state: a
 * file that is cut while it is read may end without an error.
 */
export function unchanged(table: Table, state: FileState): Table {
  return {
    ...table,
    scan(wanted, label, options) {
      const scan = table.scan(wanted, label, options);
      return {
        skipWords: (column) => scan.skipWords(column),
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
