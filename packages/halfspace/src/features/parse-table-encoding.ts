import type { TableEncoding } from './table-encoding.ts';
export function parseTableEncoding(_: unknown): TableEncoding {
  return { kind: 'table' };
}
