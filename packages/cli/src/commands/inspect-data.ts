import { HalfspaceError } from 'halfspace';
import {
  ColumnWatch,
  columnFlag,
  type LeftOutColumn,
  type SeenColumn,
  type TableEncoding,
} from 'halfspace/internal/tables';
import { beginning } from '../data/table-input.ts';
import { claimFiles } from '../files/claim.ts';
import { formatOfName } from '../files/formats.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { readColumns, shortened } from '../report/columns.ts';
import { count, counted, listed, section } from '../report/format.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

/** Tests if a file has data, and no model. A tree is a model, too. */
export async function holdsData(path: string, { format }: CommandOptions<'inspect'>): Promise<boolean> {
  if (format !== undefined || path === '-') return true;
  const named = formatOfName(path);
  if (named !== null && named !== 'json') return true;
  const head = new TextDecoder().decode(await beginning(path, null).catch(() => new Uint8Array(0)));
  return head.trim() !== '' && !/^\s*\{\s*"(?:format|digest)"\s*:/.test(head);
}

/** A column of DATA as `train` would read it. */
interface InspectedColumn {
  readonly name: string;
  readonly kind: string;
  readonly why: string;
  readonly examples: readonly string[];
  readonly missing: number | null;
  readonly different: number | null;
  /** False: `different` is an estimate. */
  readonly exact: boolean;
  readonly leak: boolean;
  /** Flags that change how it is read. */
  readonly flags: readonly string[];
}

/** Runs `halfspace inspect` of a table. */
export async function inspectData(data: readonly string[], given: CommandOptions<'inspect'>): Promise<void> {
  const options = await claimFiles('inspect', { data }, given);
  const { drawing, intervals } = options;
  if (drawing !== undefined) throw usage('--drawing is for a model; got DATA');
  if (intervals === true) throw usage('--intervals is for a model and DATA; got DATA alone');
  let watch: ColumnWatch | null = null;
  const watching = {
    ...options,
    watch: (...columns: ConstructorParameters<typeof ColumnWatch>) => (watch = new ColumnWatch(...columns)),
  };
  await withInput(data, watching, async ({ input, progress }) => {
    const encoding = input.source.encoding?.();
    if (encoding?.kind !== 'table' || watch === null)
      throw new HalfspaceError('option-invalid', `expected a table; got ${input.format}, which has no columns`, {
        source: input.name,
      });
    progress.stop();
    input.finish();
    const { column: label, classes } = encoding.label;
    const { rows } = watch;
    const { notes } = input;
    const columns = inspected(encoding, watch.columns(), input.leaks ?? [], notes);
    await printResult(options.json, {
      json: () => ({ data: input.name, rows, label: { column: label, classes }, columns, notes }),
      text: () =>
        section('Read', [
          `${input.name}: ${counted(rows, 'row')}`,
          `the label is ${label}: ${counted(classes.length, 'class', 'classes')}, ${listed(classes, 10)}`,
        ]) +
        section('Columns', tableLines(columns)) +
        section('Why', whyLines(columns)),
      notes,
    });
  });
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

function inspected(
  encoding: TableEncoding,
  seen: readonly SeenColumn[],
  leaks: readonly string[],
  notes: readonly string[],
): InspectedColumn[] {
  const used = new Map(readColumns(encoding).map((column) => [column.name, column]));
  const left = new Map(encoding.leftOut.map(({ name, reason }) => [name, reason]));
  const absent = encoding.leftOut.filter(({ name }) => !seen.some((column) => column.name === name));
  return [
    ...seen.map(({ name, read: { kind }, missing, different, isExact, examples }): InspectedColumn => {
      const reason = left.get(name);
      const isKept = reason === 'identifier' || reason === 'running-number';
      const isLeak = leaks.includes(name);
      const told = notes.filter((note) => note.startsWith(`column ${name} `)).flatMap(flagsIn);
      const isShort = kind === 'number' && different <= 20 && reason === undefined;
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
  return note.match(/--[a-z-]+ (?:'[^']*'|[^\s,)]+)/g) ?? [];
}

function why(kind: string, form: string, different: number): string {
  const written = form === '' ? '' : `, written as${form}`;
  const words: Readonly<Record<string, string>> = {
    number: `its values are numbers${written}`,
    date: `its values are dates${written}`,
    boolean: 'its values are true or false',
    category: counted(different, 'different word'),
    text: 'several words in a cell, and cells that rarely repeat',
    set: 'several values in a cell',
  };
  return words[kind] ?? kind;
}

/** Columns of text that the table fits. */
const width = 69;

function tableLines(columns: readonly InspectedColumn[]): string[] {
  const number = (value: number | null, exact = true) => (value === null ? '' : `${exact ? '' : '≈ '}${count(value)}`);
  const cells = [
    ['name', 'kind', 'missing', 'different', 'examples'],
    ...columns.map(({ name, kind, missing, different, exact, examples }) => [
      shortened(name, 20),
      kind,
      number(missing),
      number(different, exact),
      examples.map((example) => shortened(example, 24)).join(', '),
    ]),
  ];
  const wide = [0, 1, 2, 3].map((c) => Math.max(...cells.map((row) => row[c]!.length)));
  return cells.map((row) => {
    const padded = row.map((cell, c) => (c < 2 ? cell.padEnd(wide[c]!) : c < 4 ? cell.padStart(wide[c]!) : cell));
    return shortened(padded.join('  '), width).trimEnd();
  });
}

/** Explains the columns that are left out, may be leaks, or can be read in another way. */
function whyLines(columns: readonly InspectedColumn[]): string[] {
  return columns
    .filter(({ kind, leak, flags }) => kind === 'left out' || leak || flags.length > 0)
    .flatMap(({ name, why: reason, flags }) => [
      shortened(`${shortened(name, 20)}: ${reason}`, width),
      ...flags.map((flag) => `  ${flag}`),
    ]);
}
