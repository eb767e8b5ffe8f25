import type { OpenSourceOptions } from '../../src/data/source.ts';
import { createKernels } from '../../src/kernels/load.ts';
import type { Row } from '../../src/table/object-table.ts';
import { type RowsOptions, rows } from '../../src/table/rows.ts';
import type { TableSource } from '../../src/table/source.ts';

const kernels = createKernels();

/** Opens plain objects, for tests of what was read. */
export async function openedRows(
  list: readonly Row[],
  { encoding, holdout, ...options }: RowsOptions & Pick<OpenSourceOptions, 'encoding' | 'holdout'> = {},
): Promise<TableSource> {
  return (await rows(list, options).open({ kernels, encoding, holdout })) as TableSource;
}
