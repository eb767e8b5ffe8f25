import type { LeftOutColumn, TableColumn, TableEncoding } from '../features/table-encoding.ts';
import type { SeenColumn } from './column-watch.ts';
import { columnFlag } from './listed.ts';

/** A column as a model would read it, and the reasons. */
interface InspectedColumn {
  readonly name: string;
  readonly kind: string;
  readonly why: string;
  readonly examples: readonly string[];
  /** Number of missing values: of all rows; of a column that is not counted, of the training rows. Null: unknown. */
  readonly missing: number | null;
  readonly different: number | null;
  /** False: `different` is an estimate. */
  readonly exact: boolean;
  readonly leak: boolean;
  /** Flags of the command that change how it is read. */
  readonly flags: readonly string[];
}

const reasons: Readonly<Record<LeftOutColumn['reason'], string>> = {
  constant: 'all values are the same',
  empty: 'no cell has a value',
  nested: 'lists or objects',
  unsupported: 'values of a type that cannot be read',
  'too-many-values': 'too many different values',
  'all-different': 'no value repeats',
  'running-number': 'rises by 1 from row to row',
  identifier: 'hardly a value repeats, and they only name the rows',
  dropped: 'as asked',
  weight: 'the weights of the rows',
};

/** Returns the columns of a table. @param leaks names of those that alone tell the class. */
export function inspected(
  encoding: TableEncoding,
  seen: readonly SeenColumn[],
  leaks: readonly string[],
  notes: readonly string[],
): InspectedColumn[] {
  const used = new Map(encoding.columns.map((column) => [column.name, column]));
  const left = new Map(encoding.leftOut.map(({ name, reason }) => [name, reason]));
  const absent = encoding.leftOut.filter(({ name }) => !seen.some((column) => column.name === name));
  return [
    ...seen.map(({ name, read: { kind }, different, isExact, examples, ...rest }): InspectedColumn => {
      const missing = rest.missing ?? used.get(name)?.missing.count ?? null;
      const reason = left.get(name);
      const isKept = reason === 'identifier' || reason === 'running-number';
      const isLeak = leaks.includes(name);
      const told = notes.filter((note) => note.startsWith(`column ${name} `)).flatMap(flagsIn);
      const isShort = kind === 'number' && different !== null && different <= 20 && reason === undefined;
      const own = [
        ...(isKept ? [columnFlag(name, kind)] : []),
        ...(isLeak ? [columnFlag(name, 'drop')] : []),
        ...(isShort ? [columnFlag(name, 'category')] : []),
      ];
      const evidence = reason === undefined ? why(kind, writtenAs(used.get(name)!), different) : reasons[reason];
      return {
        name,
        kind: reason === undefined ? kind : 'left out',
        why: isLeak ? `likely leak, it alone tells the class; ${evidence}` : evidence,
        ...{ examples, missing, different, exact: isExact, leak: isLeak, flags: [...new Set([...own, ...told])] },
      };
    }),
    ...absent.map(
      ({ name, reason }): InspectedColumn => ({
        ...{ name, kind: 'left out', why: reasons[reason], examples: [], missing: null, different: null },
        ...{ exact: true, leak: false, flags: [] },
      }),
    ),
  ];
}

/** Returns the flags that a note names. */
function flagsIn(note: string): string[] {
  return note.match(/--[a-z-]+ (?:'[^']*'|\\'|[^\s,)'])+/g) ?? [];
}

function why(kind: string, form: string, different: number | null): string {
  const written = form === '' ? '' : `, written as${form}`;
  const words: Readonly<Record<string, string>> = {
    number: `its values are numbers${written}`,
    date: `its values are dates${written}`,
    boolean: 'its values are true or false',
    category: different === null ? 'its values are words' : `${different} different word${different === 1 ? '' : 's'}`,
    text: 'several words in a cell, and cells that rarely repeat',
    set: 'several values in a cell',
  };
  return words[kind] ?? kind;
}

/** Returns 1234.5 as the cells of a column write it, or the format of its dates; empty if they are plain. */
export function writtenAs(column: TableColumn): string {
  if (column.kind === 'set') return column.separator === undefined ? '' : ` ${JSON.stringify(column.separator)}`;
  if (column.kind === 'date') return column.format === undefined ? '' : ` ${column.format}`;
  if (column.kind !== 'number' || column.notation === undefined) return '';
  const { decimal, group = '', unit } = column.notation;
  // Only words in place of numbers differ.
  if (decimal === '.' && group === '' && unit === undefined) return '';
  return ` 1${group}234${decimal}5${unit === undefined ? '' : ` ${unit}`}`;
}
