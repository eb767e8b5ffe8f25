import { statSync } from 'node:fs';
import { freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FileAccess } from '../data/input/file-access.ts';
import { decompress } from './decompress.ts';
import { FileState } from './file-state.ts';
import { openBytes } from './files.ts';
import { temporarySpill } from './spill.ts';

/** Kernels have 4 GiB, half of which stays for weights and other work. */
const mostRoom = 2 ** 30;

/** The access to files of Node, Bun and Deno; package.json names this module `#files`. */
export const files: FileAccess = {
  pathOf: fileURLToPath,
  find(given, name) {
    // A lone hyphen means standard input to `openBytes`; here it is a file.
    const path = given === '-' ? './-' : given;
    const state = FileState.of(path, name);
    return {
      // `openBytes` reports a file that is absent.
      isPlain: statSync(path, { throwIfNoEntry: false })?.isFile() ?? true,
      open: () => openBytes(path, { name, state }),
      check: () => state.check(),
    };
  },
  decompress,
  async ahead(kernels) {
    const { hasThreads, parseAhead } = await import('./parallel/parse-ahead.ts');
    return hasThreads() ? parseAhead(kernels) : null;
  },
  spill: () => temporarySpill(),
  // A limit of the container counts too, where the runtime knows it. A run has up to two such stores at a time.
  room: () => Math.min(mostRoom, Math.min(freemem(), process.availableMemory?.() ?? Infinity) / 4),
};
