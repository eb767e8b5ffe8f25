/** Placeholder shape until the table encoding is written. */
export interface TableEncoding {
  readonly kind: 'table';
}
export function featureNames(_: TableEncoding): string[] {
  return [];
}
export function dimension(_: TableEncoding): number {
  return 0;
}
