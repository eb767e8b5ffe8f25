import { HalfspaceError } from 'halfspace';
import { expect, test } from 'vitest';
import { commands, flagOf, type OptionSpec } from '../packages/cli/src/options.ts';
import { readInCommand } from './nasty-tables/readers.ts';
import type { Reading } from './nasty-tables/reading.ts';
import type { GivenOptions, NastyTable } from './nasty-tables/table.ts';
import { nastyTables } from './nasty-tables/tables.ts';

const isDeep = process.env.TEST_DEEP === '1';
const tables = nastyTables.filter(({ format }, i) => (format === 'csv' || format === 'tsv') && (isDeep || i % 8 === 4));

interface Advice {
  readonly flag: string;
  /** Null: the message leaves it to the user. */
  readonly value: string | null;
}

/** Returns the flags that a message names, with their values as a shell gives them; those to be given together. */
function adviceOf(message: string): Advice[][] {
  const flags = /(?<!psql )--[a-z][a-z-]+(?:([ =])((?:'[^']*'|\\'|[^\s()';,])+))?/g;
  const ofTheSentence = /^(?:of|names?|reads?|takes|lets|keeps|changes|or|--.*)$/;
  const all: Advice[][] = [];
  let end = -1;
  for (const { 0: text, 1: mark, 2: word, index } of message.matchAll(flags)) {
    const flag = /^--[a-z-]+/.exec(text)![0];
    const isWord = word !== undefined && !(mark === ' ' && ofTheSentence.test(word));
    const value = isWord ? word.replaceAll("'\\''", '\0').replaceAll("'", '').replaceAll('\0', "'") : null;
    if (index === end + 1) all.at(-1)!.push({ flag, value });
    else all.push([{ flag, value }]);
    end = index + text.length;
  }
  return all;
}

/** Reads a table with more flags, parsed as the command does. Returns the reading or the refusal. */
async function withFlags(table: NastyTable, flags: readonly Advice[]): Promise<Reading | Error> {
  const specs: Readonly<Record<string, OptionSpec>> = commands.inspect.options;
  const given: Record<string, unknown> = { ...table.given };
  for (const { flag, value } of flags) {
    const name = Object.keys(specs).find((each) => flagOf(each) === flag.replace(/^--no-/, '--'));
    if (name === undefined) return new Error(`no flag ${flag}`);
    const { argument, parse, choices } = specs[name]!;
    const parsed =
      argument === undefined ? !flag.startsWith('--no-') : (parse?.(value!, given[name] as never) ?? value);
    if (parsed === undefined || choices?.includes(parsed as string) === false) return new Error(`no value ${value}`);
    given[name] = parsed;
  }
  return readInCommand({ ...table, given: given as unknown as GivenOptions }).catch((error) => error as Error);
}

/** Flags whose value only the user knows, and a value that stands for one. */
const open = /^--(?:label|encoding|delimiter|positive|weight|on-error) null$|=KIND$/;

/** Says what is wrong with the flags that a message advises; null: nothing. */
async function fault(table: NastyTable, message: string, flags: readonly Advice[]): Promise<string | null> {
  const text = flags.map(({ flag, value }) => `${flag} ${value}`).join(' ');
  if (open.test(text)) return null;
  const after = await withFlags(table, flags);
  if (after instanceof Error && (!(after instanceof HalfspaceError) || after.code === 'option-invalid'))
    return `${text}: ${after.message}`;
  if ((after instanceof Error ? [after.message] : after.notes).includes(message)) return `${text} changes nothing`;
  for (const { flag, value } of flags) {
    if (flag !== '--column') continue;
    if (after instanceof Error) return `${text}: ${after.message}`;
    const at = value!.lastIndexOf('=');
    const [wanted] = value!.slice(at + 1).split(':');
    const got = after.columns.get(value!.slice(0, at))?.kind;
    if (got !== (wanted === 'drop' ? 'left out' : wanted)) return `${text} reads ${got}`;
  }
  return null;
}

test('every flag that a note or a refusal names does what it says', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const table of tables) {
    const first = await readInCommand(table).catch((error: HalfspaceError) => error);
    for (const message of first instanceof Error ? [first.message] : first.notes)
      for (const flags of adviceOf(message)) {
        tried++;
        const found = await fault(table, message, flags);
        if (found !== null) wrong.push(`${table.family}: ${table.name}: ${message}: ${found}`);
      }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(20);
});
