import { tmpdir } from 'node:os';
import { removeLeftovers } from 'halfspace/node';
import { clearOnSignals } from '../signals.ts';
import { usage } from '../usage.ts';
import { type CommandName, type FileUses, fileUses } from './file-uses.ts';
import { refuseToReplace } from './output-kinds.ts';
import { expandPaths, stemOf } from './paths.ts';
import { isDescriptor, isSamePlace, type Place, placeOf, placeOfDescriptor } from './same-place.ts';
import { filesOfQuery } from './sql-files.ts';

/** A file by the name under which the command was given it. */
interface Named {
  /** `--model`, or DATA */
  readonly by: string;
  readonly path: string;
  readonly place: Place | null;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Makes sure, before a command writes the first byte, that nothing is lost by it: no output is one of its inputs, whatever names lead there; no
 * two outputs are one file; and a file that is there already is of the kind that takes its place. From here on a signal leaves nothing temporary, and what dead
 * processes left there is gone.
 *
 * @param args the command's arguments, by the names that {@link fileUses} gives them.
 * @returns the options, with the paths of outputs that have a name by default.
 * @throws HalfspaceError `option-invalid`, `write-failed`.
 */
export async function claimFiles<T extends object>(command: CommandName, args: Given, options: T): Promise<T> {
  const given: Given = { ...options, ...args };
  clearOnSignals();
  removeLeftovers(tmpdir());
  const uses: FileUses = fileUses[command];
  const inputs = await inputsOf(uses, given);
  const data = inputs.find(({ by }) => by === 'DATA')?.path;
  const stem = given.sql !== undefined ? 'query' : data === undefined ? null : stemOf(data);
  const byDefault: Record<string, string> = {};
  const outputs: Named[] = [];
  for (const [name, { kind, suffix }] of Object.entries(uses.writes)) {
    const asked = given[name] as string | undefined;
    const path = asked ?? (suffix === undefined || stem === null ? null : `${stem}${suffix}`);
    if (path === null) continue;
    if (asked === undefined) byDefault[name] = path;
    if (asked === undefined && kind === 'rejects' && given.onError !== 'skip') continue;
    outputs.push({ by: `--${name}`, path, place: placeOf(path) });
    checkInputs(outputs.at(-1)!, inputs);
    refuseToReplace(path, kind);
  }
  const standard = { by: 'standard output', path: '-', place: placeOfDescriptor(1) };
  checkInputs(standard, inputs);
  // What is written to a descriptor follows what is there: nothing is replaced, and several may share one.
  const named = outputs.filter(({ path }) => !isDescriptor(path));
  checkOutputs([standard, ...named]);
  return { ...options, ...byDefault };
}

function checkInputs(output: Named, inputs: readonly Named[]): void {
  const same = inputs.find(({ place }) => isOne(output.place, place));
  if (same !== undefined)
    throw usage(`expected ${output.by} to be no file that is read; got ${display(output)}, which is ${same.by}`);
}

function checkOutputs(outputs: readonly Named[]): void {
  outputs.forEach((output, k) => {
    const same = outputs.slice(0, k).find(({ place }) => isOne(output.place, place));
    if (same !== undefined)
      throw usage(`expected a file of its own for ${output.by}; got ${display(output)}, where ${same.by} goes`);
  });
}

function isOne(a: Place | null, b: Place | null): boolean {
  return a !== null && b !== null && isSamePlace(a, b);
}

function display({ by, path }: Named): string {
  return path === '-' ? `the file that ${by} was led to` : path;
}

/** The files that are read, so far as they are there: what is missing the command itself will find missing, before it writes. */
async function inputsOf({ reads }: FileUses, given: Given): Promise<Named[]> {
  const inputs: Named[] = [];
  for (const name of reads) {
    const value = given[name] as string | readonly string[] | undefined;
    if (value === undefined || value.length === 0) continue;
    const by = optionNames.has(name) ? `--${name}` : name.toUpperCase();
    const paths = typeof value === 'string' ? [value] : value;
    for (const path of globs.has(name) ? await expandPaths(paths).catch(() => []) : paths)
      inputs.push({ by, path, place: path === '-' ? placeOfDescriptor(0) : placeOf(path) });
  }
  if (typeof given.sql === 'string')
    for (const path of await filesOfQuery(given.sql)) inputs.push({ by: 'read by --sql', path, place: placeOf(path) });
  return inputs;
}

/** Inputs that are options; all others are arguments. */
const optionNames = new Set(['validate', 'features']);
/** Inputs that may be several files; all others are one. */
const globs = new Set(['data', 'validate']);
