import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { descriptorOf, finalPlace, holdFile, removeLeftovers } from 'halfspace/node';
import { type CommandName, type CommandSpec, commands, type OptionSpec } from '../options.ts';
import { clearOnSignals } from '../signals.ts';
import { usage } from '../usage.ts';
import { refuseToReplace } from './output-kinds.ts';
import { expandPaths, stemOf } from './paths.ts';
import { filesOfQuery } from './sql-files.ts';

/** A file that the command reads or writes. */
interface NamedFile {
  /** The option or argument that names it: `--model`, `DATA`. */
  readonly by: string;
  readonly path: string;
  readonly place: Place | null;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Ensures, before a command writes anything, that no output overwrites an input, whatever paths and links lead to it;
 * that no two outputs are one file; that an existing file at an output's place is of the same kind; and that no other
 * run replaces a file that this one reads, changes and replaces (`holdFile`). Also removes temporary files that killed
 * processes left; from here on, a signal removes those of this process.
 *
 * @param args the command's arguments by name.
 * @returns the options, with default paths of outputs filled in.
 * @throws HalfspaceError `option-invalid`, `write-failed`.
 */
export async function claimFiles<T extends object>(command: CommandName, args: Given, options: T): Promise<T> {
  const given: Given = { ...options, ...args };
  clearOnSignals();
  removeLeftovers(tmpdir());
  const specs: Readonly<Record<string, OptionSpec>> = commands[command].options;
  const inputs = await inputsOf(command, given);
  const { namedFor, updates = {} }: CommandSpec = commands[command];
  const named = namedFor === undefined ? inputs.find(({ by }) => by === 'DATA')?.path : (given[namedFor] as string);
  const stem = given.sql !== undefined ? 'query' : named === undefined ? null : stemOf(named);
  const byDefault: Record<string, string> = {};
  const outputs: NamedFile[] = [];
  const replaced: string[] = [];
  for (const [name, kind] of Object.entries(updates)) {
    const path = given[name] as string;
    outputs.push({ by: name.toUpperCase(), path, place: placeOf(path) });
    if (path === '-' || isNoFile(path)) throw usage(`expected ${name.toUpperCase()} to be a file; got ${path}`);
    checkInputs(outputs.at(-1)!, inputs);
    refuseToReplace(path, kind);
    // Without DATA it is only read.
    if (inputs.length > 0) replaced.push(path);
  }
  for (const [name, { writes: kind, suffix, replaces, orStandardOutput }] of Object.entries(specs)) {
    if (kind === undefined) continue;
    const asked = given[name] as string | undefined;
    const path = asked ?? (suffix === undefined || stem === null ? null : `${stem}${suffix}`);
    if (path === null || (path === '-' && orStandardOutput === true)) continue;
    if (asked === undefined) byDefault[name] = path;
    if (asked === undefined && kind === 'rejects' && given.onError !== 'skip') continue;
    const output = { by: `--${name}`, path, place: placeOf(path) };
    outputs.push(output);
    const [own, others] = [`--${replaces}`, inputs.filter(({ by }) => by !== `--${replaces}`)];
    checkInputs(output, others);
    refuseToReplace(path, kind);
    if (inputs.some(({ by, place }) => by === own && isOne(output.place, place))) replaced.push(path);
  }
  const standard = { by: 'standard output', path: '-', place: placeOfDescriptor(1) };
  checkInputs(standard, inputs);
  // Several outputs may share a descriptor, which appends.
  const files = outputs.filter(({ path }) => !isDescriptor(path));
  checkOutputs([standard, ...files]);
  for (const path of replaced) await holdFile(path);
  return { ...options, ...byDefault };
}

function checkInputs(output: NamedFile, inputs: readonly NamedFile[]): void {
  const same = inputs.find(({ place }) => isOne(output.place, place));
  if (same !== undefined)
    throw usage(`expected ${output.by} to be no file that is read; got ${display(output)}, which is ${same.by}`);
}

function checkOutputs(outputs: readonly NamedFile[]): void {
  outputs.forEach((output, k) => {
    const same = outputs.slice(0, k).find(({ place }) => isOne(output.place, place));
    if (same !== undefined)
      throw usage(`expected a separate file for ${output.by}; got ${display(output)}, which is also ${same.by}`);
  });
}

function isOne(a: Place | null, b: Place | null): boolean {
  return a !== null && b !== null && isSamePlace(a, b);
}

function display({ by, path }: NamedFile): string {
  return path === '-' ? `the file that ${by} is redirected to` : path;
}

/** Returns the files that are read. The command itself refuses missing ones later. */
async function inputsOf(command: CommandName, given: Given): Promise<NamedFile[]> {
  const specs: Readonly<Record<string, OptionSpec>> = commands[command].options;
  const options = Object.keys(specs).filter((name) => specs[name]!.reads);
  const inputs: NamedFile[] = [];
  const { arguments: positional, updates = {} }: CommandSpec = commands[command];
  const read = Object.keys(positional).filter((name) => !(name in updates));
  for (const name of [...read, ...options]) {
    const value = given[name] as string | readonly string[] | undefined;
    if (value === undefined || value.length === 0) continue;
    const by = options.includes(name) ? `--${name}` : name.toUpperCase();
    const paths = typeof value === 'string' ? [value] : value;
    for (const path of globs.has(name) ? await expandPaths(paths).catch(() => []) : paths)
      inputs.push({ by, path, place: path === '-' ? placeOfDescriptor(0) : placeOf(path) });
  }
  if (typeof given.sql === 'string')
    for (const path of await filesOfQuery(given.sql)) inputs.push({ by: 'read by --sql', path, place: placeOf(path) });
  return inputs;
}

/** Inputs that may be several files. */
const globs = new Set(['data', 'validate']);

/** Identifies a file independently of its name. */
interface Place {
  /** Device and number of an existing file; null for a file that does not exist yet. */
  readonly id: string | null;
  /** Path without links; null for a descriptor. */
  readonly path: string | null;
}

/** Returns where a path leads; null for pipes, devices and folders, and for a path that cannot be created. */
function placeOf(path: string): Place | null {
  try {
    const present = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (present !== undefined && !present.isFile()) return null;
    return { id: present === undefined ? null : idOf(present), path: finalPlace(path) };
  } catch {
    return null;
  }
}

/** Tests if there is something at a path that is no file: a folder, a pipe, a device. */
function isNoFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    return false;
  }
}

/** Returns the file of a descriptor, or null. */
function placeOfDescriptor(descriptor: number): Place | null {
  try {
    const present = fstatSync(descriptor, { bigint: true });
    return present.isFile() ? { id: idOf(present), path: null } : null;
  } catch {
    return null;
  }
}

/** Returns null on systems without file numbers, which report 0. */
function idOf({ dev, ino }: BigIntStats): string | null {
  return ino === 0n ? null : `${dev}:${ino}`;
}

/**
 * Tests if two places are the same file. For files that do not exist yet it is unknown whether the system
 * distinguishes upper from lower case, or composed from decomposed letters. So names that differ only in these count as
 * the same.
 */
function isSamePlace(a: Place, b: Place): boolean {
  if (a.id !== null && b.id !== null) return a.id === b.id;
  if (a.path === null || b.path === null) return false;
  return a.path === b.path || (a.id === null && b.id === null && folded(a.path) === folded(b.path));
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Tests if a path such as /dev/stdout names a descriptor. Output to a descriptor is appended. */
function isDescriptor(path: string): boolean {
  return descriptorOf(path) !== null;
}
