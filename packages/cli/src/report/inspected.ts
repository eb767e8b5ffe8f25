import { columnFlag, type LeftOutColumn, type SeenColumn, type TableEncoding } from 'halfspace/internal/tables';
import { furtherLine, readColumns, shortened } from './columns.ts';
import { count, counted } from './format.ts';
import { terminalWidth } from './terminal-charts.ts';

/** A column of DATA as `train` reads it. */
export interface InspectedColumn {
  readonly name: string;
  readonly kind: string;
  readonly why: string;
  readonly examples: readonly string[];
  /** Of all rows; in the report of `train`, of the training rows. Null: not counted. */
  readonly missing: number | null;
  readonly different: number | null;
  /** False: `different` is an estimate. */
  readonly exact: boolean;
  readonly leak: boolean;
  /** Flags that change how it is read. */
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
  const used = new Map(readColumns(encoding).map((column) => [column.name, column]));
  const left = new Map(encoding.leftOut.map(({ name, reason }) => [name, reason]));
  const absent = encoding.leftOut.filter(({ name }) => !seen.some((column) => column.name === name));
  return [
    ...seen.map(({ name, read: { kind }, different, isExact, examples, ...rest }): InspectedColumn => {
      const missing = rest.missing ?? used.get(name)?.missing ?? null;
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
      const evidence =
        reason === undefined ? why(kind, used.get(name)!.read.slice(kind.length), different) : reasons[reason];
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
    category: different === null ? 'its values are words' : counted(different, 'different word'),
    text: 'several words in a cell, and cells that rarely repeat',
    set: 'several values in a cell',
  };
  return words[kind] ?? kind;
}

/** Returns a line for each column, below their titles. @param most number of columns from which on some are folded. */
export function tableLines(all: readonly InspectedColumn[], most = all.length): string[] {
  const columns = all.slice(0, all.length <= most ? most : most - 1);
  const isCounted = columns.some(({ different }) => different !== null);
  const number = (value: number | null, exact = true) => (value === null ? '' : `${exact ? '' : '≈ '}${count(value)}`);
  const cells = [
    ['name', 'kind', 'missing', ...(isCounted ? ['different'] : []), 'examples'],
    ...columns.map(({ name, kind, missing, different, exact, examples }) => [
      shortened(name, 20),
      kind,
      number(missing),
      ...(isCounted ? [number(different, exact)] : []),
      examples.map((example) => shortened(example, 24)).join(', '),
    ]),
  ];
  const last = cells[0]!.length - 1;
  const room = terminalWidth() - 11;
  const wide = cells[0]!.map((_, c) => Math.max(...cells.map((row) => row[c]!.length)));
  const lines = cells.map((row) => {
    const padded = row.map((cell, c) => (c < 2 ? cell.padEnd(wide[c]!) : c < last ? cell.padStart(wide[c]!) : cell));
    return shortened(padded.join('  '), room).trimEnd();
  });
  return columns.length < all.length ? [...lines, furtherLine(all.slice(columns.length))] : lines;
}

/**
 * Explains the columns that are left out, may be leaks, or can be read in another way.
 * @param most number of lines from which on some are folded.
 */
export function whyLines(columns: readonly InspectedColumn[], most = Infinity): string[] {
  const lines = columns
    .filter(({ kind, leak, flags }) => kind === 'left out' || leak || flags.length > 0)
    .flatMap(({ name, why: reason, flags }) => [
      `${shortened(name, 20)}: ${reason}`,
      ...flags.map((flag) => `  ${flag}`),
    ]);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), 'and more: halfspace inspect DATA has all'];
}
