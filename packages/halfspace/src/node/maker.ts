import { lstatSync, opendirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * The identity of a process in names of its temporary files. A pid is not enough: pids are reused, also by containers.
 */
interface Maker {
  readonly pid: number;
  /** Start time in clock ticks; '0' if the system does not tell it. */
  readonly start: string;
  /** On Linux the boot and the namespaces, elsewhere the host. Process numbers are comparable only within one place. */
  readonly place: string;
}

/** The place if the system does not tell it. Processes of other places, or of this one, are never taken for dead. */
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
    // `pid:[4026531836]`. The time namespace matters because start times are counted in it.
    const spaces = ['pid', 'time'].map((name) => /\d+/.exec(readlinkSync(`/proc/self/ns/${name}`))![0]);
    return [boot, ...spaces.map((space) => Number(space).toString(36))].join('');
  } catch {
    return unknownPlace;
  }
}

/** Returns the start time of a process; null if unknown, or if the process does not exist or is a zombie. */
function startOf(pid: number | 'self'): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The process name, in brackets, may contain blanks and brackets.
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
    // Linux tells the start time of all its processes but zombies, which do nothing any more.
    return process.platform === 'linux';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Returns `4711-88123-1f…`, the part of a file name that identifies this process. */
export function makerName(): string {
  const { pid, start, place } = ownMaker();
  return `${pid}-${start}-${place}`;
}

/** The largest length of a file's name in bytes; systems allow 255, and the maker's name needs some. */
const mostOfName = 120;

/** Returns the path of a temporary file of this process beside a file. @param ending such as `.partial`. */
export function besides(place: string, ending: string): string {
  return join(dirname(place), `.${shortened(basename(place))}.${makerName()}${ending}`);
}

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > mostOfName) short = short.slice(0, -1);
  return short;
}

/** Returns the number of another process that has a `.lock` beside a file and is known to be alive; null: none. */
export function otherLocker(place: string): number | null {
  const { pid: me, place: here } = ownMaker();
  const start = `.${shortened(basename(place))}.`;
  for (const name of readdirSync(dirname(place))) {
    const [, pid, since, where] = (name.startsWith(start) && lockName.exec(name.slice(start.length))) || [];
    if (pid === undefined || Number(pid) === me || where !== here || here === unknownPlace) continue;
    if (!isDead({ pid: Number(pid), start: since!, place: where })) return Number(pid);
  }
  return null;
}

const lockName = /^(\d+)-(\d+)-([A-Za-z0-9]+)\.lock$/;

/** The largest number of entries to look at, so that a run does not wait long in a large folder. */
const mostEntries = 10_000;

/** Names with a {@link makerName}: of a `temporaryFolder`, an unfinished file (`openWhole`), a lock (`holdFile`). */
const temporaryNames = [
  /^halfspace-(\d+)-(\d+)-([A-Za-z0-9]+)-.{6}$/s,
  /^\..+\.(\d+)-(\d+)-([A-Za-z0-9]+)(?:-\d+)?\.(?:partial|lock)$/s,
];

/** Folders that this process has swept. */
const swept = new Set<string>();

/**
 * Removes from a folder the half-written files and temporary folders of the same user's dead processes, recognised by
 * their names. Never fails; keeps everything that is uncertain.
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
    // Another process may be sweeping the same folder.
  }
}
