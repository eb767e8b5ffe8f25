import { lstatSync, opendirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A process, as names of its temporary files tell it. A number alone does not: numbers are given again, and every container counts from 1.
 */
interface Maker {
  readonly pid: number;
  /** When it started, in the kernel's ticks; 0 where the system does not tell. */
  readonly start: string;
  /** The running kernel and the process's namespaces on Linux, elsewhere the host. Numbers are comparable within one place only. */
  readonly place: string;
}

/** No process of another place is ever taken for dead, so a place that cannot be told is no place of anybody's. */
const unknownPlace = 'unknown';

let own: Maker | null = null;

function ownMaker(): Maker {
  own ??= { pid: process.pid, start: startOf('self') ?? '0', place: ownPlace() };
  return own;
}

function ownPlace(): string {
  if (process.platform !== 'linux')
    return (
      hostname()
        .replace(/[^A-Za-z0-9]/g, '')
        .slice(0, 24) || unknownPlace
    );
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    // `pid:[4026531836]`. Times of start are counted in the time namespace.
    const spaces = ['pid', 'time'].map((name) => /\d+/.exec(readlinkSync(`/proc/self/ns/${name}`))![0]);
    return [boot, ...spaces.map((space) => Number(space).toString(36))].join('');
  } catch {
    return unknownPlace;
  }
}

/** Null where there is no such process, or the system does not tell. A process that has ended and waits for its parent is none. */
function startOf(pid: number | 'self'): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
  } catch {
    return null;
  }
}

function isDead({ pid, start, place }: Maker): boolean {
  const { place: here } = ownMaker();
  if (place !== here || here === unknownPlace) return false;
  const present = startOf(pid);
  if (present !== null) return present !== start;
  try {
    process.kill(pid, 0);
    // Alive, on a system that does not tell when processes started; or one that waits for its parent, which is cleared after another run.
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** `4711-88123-1f…`: part of a name that tells which process made the file. */
export function makerName(): string {
  const { pid, start, place } = ownMaker();
  return `${pid}-${start}-${place}`;
}

/** Larger folders are not looked through to the end: a run must not wait long for what others left. */
const mostEntries = 10_000;

/** What `temporaryFolder` makes, and files that `openWhole` has not finished, each with a {@link makerName}. */
const temporaryNames = [
  /^halfspace-(\d+)-(\d+)-([A-Za-z0-9]+)-.{6}$/s,
  /^\..+\.(\d+)-(\d+)-([A-Za-z0-9]+)(?:-\d+)?\.partial$/s,
];

/** Folders that this process has looked through. */
const swept = new Set<string>();

/**
 * Removes what dead processes of the same user left in a folder: half-written files and temporary folders, which their names tell. Never fails;
 * what cannot be told for sure is left alone.
 */
export function removeLeftovers(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    const entries = opendirSync(folder);
    try {
      for (let k = 0; k < mostEntries; k++) {
        const entry = entries.readSync();
        if (entry === null) break;
        const { name } = entry;
        const [, pid, start, place] =
          temporaryNames.map((each) => each.exec(name)).find((found) => found !== null) ?? [];
        if (place === undefined || !isDead({ pid: Number(pid), start: start!, place })) continue;
        const path = join(folder, name);
        if (process.getuid === undefined || lstatSync(path).uid === process.getuid())
          rmSync(path, { recursive: true, force: true });
      }
    } finally {
      entries.closeSync();
    }
  } catch {
    // Another run may be clearing the same folder.
  }
}
