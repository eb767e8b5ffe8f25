import type { Kernels } from '../../kernels/kernels.ts';
import type { Compression } from '../compression.ts';
import type { ByteSource } from '../source.ts';
import type { Spill, StoreOptions } from '../store.ts';
import type { TextAhead } from '../text.ts';

/** Access to files and threads. Node, Bun and Deno have it (node/file-access.ts), browsers and edge workers do not. */
export interface FileAccess {
  /** Returns the path of a URL whose protocol is `file:`. */
  pathOf(url: URL): string;
  /** Finds a file, and remembers its state. @throws HalfspaceError `source-unreadable`. */
  find(path: string, name: string): FoundFile;
  /** Decompresses pieces while they arrive. Each is valid until the next is requested. @param name for messages. */
  decompress(compression: Compression, pieces: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array>;
  /** Returns threads that parse large files; null if there are none. */
  ahead(kernels: Kernels): Promise<TextAhead | null>;
  /** Opens a temporary file for examples that do not fit into memory. */
  spill(): Spill;
  /** Returns the number of bytes of examples to keep in memory before they go to a temporary file. */
  room(): number;
}

export interface FoundFile {
  /** True for a plain file, which can be read any number of times; false for a pipe or a device. */
  readonly isPlain: boolean;
  /** Opens the file from its beginning, decompressed. @throws HalfspaceError `source-unreadable`. */
  open(): Promise<ByteSource>;
  /** @throws HalfspaceError `source-changed` if the file changed since it was found. */
  check(): void;
}

/**
 * Loads the access to files; null if the runtime has none.
 *
 * `#files` is an entry of `imports` in package.json. It leads to Node's modules under the condition `node`, which Bun,
 * Deno and bundlers for them set, and to no-files.ts otherwise. So a bundle for a page does not contain them.
 */
export async function fileAccess(): Promise<FileAccess | null> {
  try {
    const { files } = (await import('#files')) as { readonly files: FileAccess | null };
    return files;
  } catch (error) {
    // A page without a bundler cannot resolve the name.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Adds the storage outside memory to options, if the runtime has files and none is given. */
export async function storeOptions(options: StoreOptions = {}): Promise<StoreOptions> {
  if (options.spill !== undefined) return options;
  const files = await fileAccess();
  return files === null
    ? options
    : { room: options.memoryBudget ?? files.room(), ...options, spill: () => files.spill() };
}
