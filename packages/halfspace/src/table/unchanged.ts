import type { Table } from './table.ts';

/** The state of a file, such as `FileState` of `halfspace/node`. */
export interface FileCheck {
  /** @throws HalfspaceError `source-changed` if the file has another state now. */
  check(): void;
}

/**
 * Returns a table that checks at the end of every scan, and after an error, that its file still has the given state: a
 * file that is cut while it is read may end without an error.
 */
export function unchanged(table: Table, state: FileCheck): Table {
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
