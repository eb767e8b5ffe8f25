import { dirname } from 'node:path';
import type { AppendFile, Disk } from '../../src/disk/disk.ts';

/** Bytes that reach the disk or not as one. Small, so that records have several. */
const pageBytes = 16;

/** A file: what programs see, and what is on the disk. */
class Inode {
  cache = new Uint8Array(0);
  disk = new Uint8Array(0);
  /** Bytes from here on were not synced. Bytes before it are clean, also those that a failed sync lost. */
  clean = 0;

  append(bytes: Uint8Array): void {
    const { length } = this.cache;
    this.cache = resized(this.cache, length + bytes.length);
    this.cache.set(bytes, length);
  }

  cut(size: number): void {
    this.cache = this.cache.slice(0, size);
    this.clean = Math.min(this.clean, size);
  }

  sync(): void {
    this.disk = resized(this.disk, this.cache.length);
    this.disk.set(this.cache.subarray(this.clean), this.clean);
    this.clean = this.cache.length;
  }

  /** Some pages reach the disk. All are clean afterwards, as on Linux: no later sync writes the lost ones. */
  failSync(chance: Chance): void {
    this.#write(() => chance(0.5));
    this.clean = this.cache.length;
  }

  /** Leaves what is on the disk after a power loss: unsynced pages are there or not, and so is the new size. */
  losePower(chance: Chance): void {
    const synced = this.disk.length;
    this.#write(() => chance(0.5));
    // A file may have its new size and none of its bytes, or end within a page.
    if (this.cache.length !== synced && chance(0.5)) {
      const [from, to] = [Math.min(this.clean, this.cache.length), Math.max(this.disk.length, this.cache.length)];
      this.disk = resized(
        this.disk,
        chance(0.3) ? this.cache.length : from + Math.floor(chance.next() * (to - from + 1)),
      );
    }
    this.cache = this.disk.slice();
    this.clean = this.cache.length;
  }

  #write(reaches: () => boolean): void {
    for (let at = this.clean; at < this.cache.length; at += pageBytes - (at % pageBytes)) {
      const end = Math.min(this.cache.length, at + pageBytes - (at % pageBytes));
      if (!reaches()) continue;
      if (this.disk.length < end) this.disk = resized(this.disk, end);
      this.disk.set(this.cache.subarray(at, end), at);
    }
  }
}

function resized(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const other = new Uint8Array(length);
  other.set(bytes.subarray(0, length));
  return other;
}

/** Tells true at random, with a probability. */
export interface Chance {
  (probability: number): boolean;
  /** Returns a number in [0, 1). */
  next(): number;
}

/** A change of names in some folders, which is made durable by syncing one of them. */
interface Change {
  readonly folders: readonly string[];
  /** A path that is gone afterwards, with all below it; null: none. */
  readonly gone: string | null;
  /** The file of each path afterwards. */
  readonly files: readonly (readonly [path: string, file: Inode])[];
}

/** Faults to come. */
export interface Faults {
  /** The process dies at this operation, counted from 1. */
  readonly crashAt: number;
  /** Probability that trouble begins at an operation. It lasts for some operations. */
  readonly trouble: number;
}

type Trouble = 'full' | 'sync' | 'all';

/** A disk in memory that loses what was not synced, tears it, fails, is full, and dies with the process. */
export class UnreliableDisk {
  readonly #chance: Chance;
  #names = new Map<string, Inode>();
  #durable = new Map<string, Inode>();
  #changes: Change[] = [];
  #folders = new Set<string>();
  #process = 0;
  #faults: Faults = { crashAt: Number.POSITIVE_INFINITY, trouble: 0 };
  #operations = 0;
  #trouble: { readonly kind: Trouble; until: number } | null = null;
  #onCrash = () => {};

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Returns the disk as a new process sees it, and a promise that resolves when this process dies. */
  start(faults: Faults): { readonly disk: Disk; readonly died: Promise<void> } {
    this.#process++;
    this.#faults = faults;
    this.#operations = 0;
    this.#trouble = null;
    const died = new Promise<void>((resolve) => {
      this.#onCrash = resolve;
    });
    return { disk: this.#diskOf(this.#process), died };
  }

  /** Ends the process: its operations that run never return. */
  kill(): void {
    this.#process++;
    this.#onCrash();
  }

  /** Lets trouble begin at an operation, with a probability. */
  trouble(probability: number): void {
    this.#faults = { ...this.#faults, trouble: probability };
  }

  /** Stops all trouble, now and later. */
  heal(): void {
    this.#faults = { crashAt: Number.POSITIVE_INFINITY, trouble: 0 };
    this.#trouble = null;
  }

  /** Ends the process and loses what was not synced, at random. */
  losePower(): void {
    this.kill();
    for (const change of this.#changes) if (this.#chance(0.5)) apply(this.#durable, change);
    this.#changes = [];
    this.#names = new Map(this.#durable);
    for (const file of new Set(this.#names.values())) file.losePower(this.#chance);
    for (const folder of this.#folders)
      if (!this.#isFolderOfFiles(folder) && this.#chance(0.5)) this.#folders.delete(folder);
  }

  /** Returns the content of a file as programs see it. */
  content(path: string): Uint8Array {
    return this.#names.get(path)!.cache;
  }

  /** Changes a byte of a file, as a disk does that fails; null removes the file. */
  change(path: string, at: number | null): void {
    const file = this.#names.get(path)!;
    if (at === null) for (const names of [this.#names, this.#durable]) names.delete(path);
    else for (const bytes of [file.cache, file.disk]) bytes[at]! ^= 1;
  }

  get paths(): string[] {
    return [...this.#names.keys()];
  }

  #isFolderOfFiles(folder: string): boolean {
    return this.paths.some((path) => path.startsWith(`${folder}/`));
  }

  #change(change: Change): void {
    this.#changes.push(change);
    apply(this.#names, change);
  }

  /** Runs an operation of a process, or fails, or lets the process die before it, after it or within it. */
  async #operate<T>(process: number, kinds: readonly Trouble[], act: () => T, tear: () => void = () => {}): Promise<T> {
    await null;
    const never = () => new Promise<never>(() => {});
    if (process !== this.#process) return never();
    const operation = ++this.#operations;
    if (operation === this.#faults.crashAt) {
      if (this.#chance(0.4)) act();
      else tear();
      this.kill();
      return never();
    }
    if (this.#trouble !== null && operation > this.#trouble.until) this.#trouble = null;
    if (this.#chance(this.#faults.trouble)) {
      const kind = (['full', 'sync', 'all'] as const)[Math.floor(this.#chance.next() * 3)]!;
      this.#trouble = { kind, until: operation + Math.floor(this.#chance.next() * 30) };
    }
    if (this.#trouble !== null && kinds.includes(this.#trouble.kind)) {
      // It may have happened all the same.
      if (this.#trouble.kind === 'all' && this.#chance(0.3)) act();
      else tear();
      throw Object.assign(new Error(this.#trouble.kind === 'full' ? 'ENOSPC: no space left' : 'EIO: i/o error'), {
        code: this.#trouble.kind === 'full' ? 'ENOSPC' : 'EIO',
      });
    }
    return act();
  }

  #diskOf(process: number): Disk {
    const inode = (path: string): Inode => {
      const found = this.#names.get(path);
      if (found === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
      return found;
    };
    const run = <T>(kinds: readonly Trouble[], act: () => T, tear?: () => void) =>
      this.#operate(process, kinds, act, tear);
    const appendFile = (file: Inode): AppendFile => ({
      append: (bytes) =>
        run(
          ['full', 'all'],
          () => file.append(bytes),
          () => file.append(bytes.subarray(0, Math.floor(this.#chance.next() * bytes.length))),
        ),
      sync: () =>
        run(
          ['sync', 'all'],
          () => file.sync(),
          () => file.failSync(this.#chance),
        ),
      close: () => run(['all'], () => {}),
    });
    return {
      makeFolder: (path) =>
        run(['full', 'all'], () => {
          for (let each = path; each !== dirname(each); each = dirname(each)) this.#folders.add(each);
        }),
      list: (path) =>
        run([], () => {
          const below = [...this.#names.keys(), ...this.#folders].filter((each) => each.startsWith(`${path}/`));
          return [...new Set(below.map((each) => each.slice(path.length + 1).split('/')[0]!))];
        }),
      size: (path) => run([], () => this.#names.get(path)?.cache.length ?? null),
      read: (path, offset, length) => run([], () => inode(path).cache.slice(offset, offset + length)),
      create: async (path) => {
        const file = new Inode();
        await run(['full', 'all'], () => {
          if (this.#names.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' });
          this.#change({ folders: [dirname(path)], gone: null, files: [[path, file]] });
        });
        return appendFile(file);
      },
      openToAppend: async (path, size) => {
        const file = await run(['all'], () => {
          inode(path).cut(size);
          return inode(path);
        });
        return appendFile(file);
      },
      rename: (from, to) =>
        run(['all'], () => {
          const moved: [string, Inode][] = [];
          for (const [path, file] of this.#names) {
            if (!isIn(path, from)) continue;
            moved.push([to + path.slice(from.length), file]);
          }
          if (moved.length === 0 && !this.#folders.delete(from)) inode(from);
          for (const folder of [...this.#folders]) if (isIn(folder, from)) this.#folders.delete(folder);
          if (moved.some(([path]) => path !== to)) this.#folders.add(to);
          this.#change({ folders: [dirname(from), dirname(to)], gone: from, files: moved });
        }),
      remove: (path) =>
        run(['all'], () => {
          for (const folder of [...this.#folders]) if (isIn(folder, path)) this.#folders.delete(folder);
          if (this.paths.some((each) => isIn(each, path)))
            this.#change({ folders: [dirname(path)], gone: path, files: [] });
        }),
      syncFolder: (path) =>
        run(['sync', 'all'], () => {
          let waiting: Change[] = [];
          for (const change of this.#changes) {
            if (!change.folders.includes(path)) {
              waiting.push(change);
              continue;
            }
            // A name that was used again cannot be there before the old one is gone.
            const isBefore = ({ gone }: Change) => gone !== null && change.files.some(([each]) => isIn(each, gone));
            for (const earlier of waiting) if (isBefore(earlier)) apply(this.#durable, earlier);
            waiting = waiting.filter((earlier) => !isBefore(earlier));
            apply(this.#durable, change);
            // What earlier changes did to these names cannot come back.
            const { gone } = change;
            const names = new Set(change.files.map(([each]) => each));
            const isPast = (each: string) => names.has(each) || (gone !== null && isIn(each, gone));
            for (const [k, earlier] of waiting.entries())
              waiting[k] = { ...earlier, files: earlier.files.filter(([each]) => !isPast(each)) };
          }
          this.#changes = waiting;
        }),
      lock: async () => ({ check() {}, async unlock() {} }),
    };
  }
}

function apply(names: Map<string, Inode>, { gone, files }: Change): void {
  if (gone !== null) for (const path of [...names.keys()]) if (isIn(path, gone)) names.delete(path);
  for (const [path, file] of files) names.set(path, file);
}

/** Tests if a path is another one or below it. */
function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
