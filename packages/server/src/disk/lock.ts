import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HalfspaceError } from 'halfspace';
import type { FolderLock } from './disk.ts';

/** Times in milliseconds. */
export interface LockTimes {
  /** The holder touches its file this often. */
  readonly touch: number;
  /** A file that was not touched for this long is that of a dead process, if nothing else can be known about it. */
  readonly patience: number;
}

/** Content of the file of a lock. */
interface Holder extends ProcessIdentity {
  /** Names this lock: a process may lock a folder again later. */
  readonly token: string;
}

const usual: LockTimes = { touch: 1000, patience: 10_000 };

/**
 * Takes the lock that is a file.
 *
 * The file names the process that has the lock. If that process is dead, the next one takes over. On the same host,
 * since the same start and in the same namespaces, a process is alive if there is one with its number and start time.
 * Otherwise (another container, a shared disk) the next one watches by its own clock if the file is touched.
 *
 * @throws HalfspaceError `write-failed` if a process that is alive has the lock.
 */
export async function lockFolder(path: string, times: LockTimes = usual): Promise<FolderLock> {
  const own: Holder = { ...ownIdentity(), token: randomBytes(12).toString('hex') };
  await claim(path, own, times);
  // Open, so that a look at the number of its names tells if it was removed or replaced.
  const file = openSync(path, 'r');
  let isOpen = true;
  let isLost = false;
  const isOwn = async () => (await holderOf(path))?.token === own.token;
  const timer = setInterval(async () => {
    const now = new Date();
    // Another process may have written over it.
    isLost ||= !(await isOwn().catch(() => true));
    if (!isLost) utimes(path, now, now).catch(() => {});
  }, times.touch);
  timer.unref();
  await removeLeft(path);
  return {
    check() {
      isLost ||= !isOpen || fstatSync(file).nlink === 0;
      if (isLost)
        throw new HalfspaceError(
          'write-failed',
          'expected the lock of this service; got none, or that of another one: nothing more is written, start the service again',
          { source: path },
        );
    },
    async unlock() {
      clearInterval(timer);
      if (isOpen) closeSync(file);
      isOpen = false;
      if (await isOwn()) await rm(path, { force: true });
    },
  };
}

/** Removes what processes left that were killed while they took the lock. */
async function removeLeft(path: string): Promise<void> {
  const names = await readdir(dirname(path));
  for (const name of names.filter((each) => each.startsWith(`${basename(path)}.`))) {
    const left = join(dirname(path), name);
    const holder = await holderOf(left);
    if (holder !== null && isAlive(holder) === false) await rm(left, { force: true });
  }
}

async function claim(path: string, own: Holder, times: LockTimes): Promise<void> {
  // Before anything is written: a full disk shall not hide it.
  const present = await holderOf(path);
  if (present !== null && isAlive(present) === true) throw taken(path, present);
  // Linked when its content is there, so nobody reads half of it.
  const whole = `${path}.${own.token}`;
  await writeFile(whole, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
  try {
    for (;;) {
      if (await linked(whole, path)) return;
      const holder = await holderOf(path);
      if (holder === null) continue;
      if (!(await isDead(path, holder, times))) throw taken(path, holder);
      // Two may find the same dead holder: only the one that has this second lock replaces it.
      const second = `${path}-next`;
      await claim(second, { ...own, token: randomBytes(12).toString('hex') }, times);
      try {
        if ((await holderOf(path))?.token !== holder.token) continue;
        await rename(whole, path);
        return;
      } finally {
        await rm(second, { force: true });
      }
    }
  } finally {
    await rm(whole, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns who has the lock; null if nobody does. */
async function holderOf(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // No file of ours, or one that a power loss emptied: nobody touches it.
    if (error instanceof SyntaxError) return { host: '', pid: 0, start: null, place: null, token: '' };
    throw error;
  }
}

async function isDead(path: string, holder: Holder, { patience }: LockTimes): Promise<boolean> {
  const alive = isAlive(holder);
  if (alive !== null) return !alive;
  const touched = await touchedAt(path);
  const steps = 20;
  for (let step = 0; step < steps; step++) {
    await sleep(patience / steps);
    if ((await touchedAt(path)) !== touched) return false;
  }
  return true;
}

async function touchedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function taken(path: string, { host, pid }: Holder): HalfspaceError {
  return new HalfspaceError(
    'write-failed',
    `expected a folder that no other service uses; got one that process ${pid} on ${host} has locked: stop that service, or choose another folder`,
    { source: path },
  );
}

/** A process. Its number is not enough: numbers are used again, also by other containers. */
interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start time in clock ticks; null if the system does not tell it. */
  readonly start: string | null;
  /** The boot and the namespaces in which process numbers are comparable; null if the system does not tell them. */
  readonly place: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, start: startOf(process.pid), place: ownPlace() };
}

/** Tells if a process is there; null if nothing can be known about it. */
function isAlive({ pid, start, place }: ProcessIdentity): boolean | null {
  if (place === null || start === null || place !== ownPlace()) return null;
  return startOf(pid) === start;
}

function ownPlace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    // Start times are counted in the time namespace.
    return [boot, ...['pid', 'time'].map((space) => readlinkSync(`/proc/self/ns/${space}`))].join(' ');
  } catch {
    return null;
  }
}

/** Returns the start time of a process; null if there is none, if it is a zombie, or if the system does not tell. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may have blanks and brackets.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
  } catch {
    return null;
  }
}
