import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Folders of tests. `npm test` runs files that end in .test.ts, `npm run test:deep` those that end in .deep.test.ts and
 * all properties.
 */
export const folders = ['test', 'packages/*/test', 'apps/*/test', 'bench/test', 'runtimes/test'];

export const shared = {
  // Vitest leaves one core to itself, which is half of two. One worker more fills the time that others wait.
  maxWorkers: availableParallelism() + 1,
  setupFiles: ['./test/support/fixed-seed.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/**
 * Resolves `#files` and `#threads`, which package.json leads to built files, for sources to sources: classes of errors
 * are compared with instanceof.
 */
export const filesOfSources = {
  name: 'files-of-sources',
  enforce: 'pre' as const,
  resolveId(id: string, importer?: string) {
    const source = { '#files': 'node/file-access.ts', '#threads': 'node/parallel/fold-threads.ts' }[id];
    if (source === undefined || !importer?.includes('/packages/halfspace/src/')) return null;
    return fileURLToPath(new URL(`packages/halfspace/src/${source}`, import.meta.url));
  },
};

export default defineConfig({
  plugins: [filesOfSources],
  test: {
    ...shared,
    // A file in a process of its own costs a fifth of the time, to load the same modules again.
    isolate: false,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/*.deep.test.ts'],
  },
});
