import type { ColumnKind } from 'halfspace';
import type { Table } from './dataset.ts';

/** Returns the kinds that the user names, and `drop` for the columns that are left out. */
export function columnOptions(
  { label, columns, reading }: Pick<Table, 'label' | 'columns' | 'reading'>,
  names: readonly string[],
): Record<string, { kind: ColumnKind | 'drop' }> {
  const kindOf = (name: string) => (columns?.includes(name) === false ? 'drop' : reading?.kinds?.[name]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const kind = name === label ? undefined : kindOf(name);
      return kind === undefined ? [] : [[name, { kind }] as const];
    }),
  );
}
