import { type BigIntStats, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import type { TableFile } from './file-head.ts';
import type { Table } from './table.ts';

/**
 * A table whose file must stay as it is from now on. Every reading compares its size, its time of change and its identity at the end, and
 * where something failed: a file that is cut while it is read may end in good order.
 */
export function unchanged(file: TableFile, table: Table, before: BigIntStats | undefined): Table {
  const check = () => {
    const after = statSync(file.path, { bigint: true, throwIfNoEntry: false });
    const isSame =
      after?.size === before?.size &&
      after?.mtimeNs === before?.mtimeNs &&
      after?.ino === before?.ino &&
      after?.dev === before?.dev;
    if (isSame) return;
    throw new HalfspaceError(
      'source-unreadable',
      'expected the file to stay as it is while it is read; got one that changed',
      { source: file.name },
    );
  };
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
            check();
            throw error;
          }
          check();
        },
      };
    },
  };
}

/** What {@link unchanged} compares with. */
export function stateOf(file: TableFile): BigIntStats | undefined {
  return statSync(file.path, { bigint: true, throwIfNoEntry: false });
}
