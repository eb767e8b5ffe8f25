import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FileAccess } from '../data/input/file-access.ts';
import { decompress } from './decompress.ts';
import { FileState } from './file-state.ts';
import { openBytes } from './files.ts';
import { temporarySpill } from './spill.ts';

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
  foldThreads: async () => (await import('./parallel/fold-threads.ts')).foldThreads(),
};
