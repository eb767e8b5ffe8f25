import { type TableOptions as Options, openTable as open, type TableFile, type TableSource } from 'halfspace/node';
import { tablesOf } from '../../src/tables/source.ts';

export type { TableSource };
export interface TableOptions extends Omit<Options, 'format'> {
  readonly format: Parameters<typeof tablesOf>[1];
  readonly sql?: string;
}

/** Opens files, or a query, as the command does. */
export async function openTable(files: readonly TableFile[], { sql, ...options }: TableOptions): Promise<TableSource> {
  return open(await tablesOf(files, options.format, sql), options as Options);
}
