import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Folders of tests. `npm test` runs files that end in .test.ts, `npm run test:deep` those that end in .deep.test.ts and
 * all properties.
 */
export const folders = ['test', 'packages/*/test', 'apps/*/test', 'bench/test', 'fuzz/test', 'runtimes/test'];

export const shared = {
  // Vitest leaves one core to itself, which is half of two.
  maxWorkers: availableParallelism(),
  setupFiles: ['./vitest.setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  resolve: { alias: { 'fast-check': fileURLToPath(new URL('quick-properties.ts', import.meta.url)) } },
  test: {
    ...shared,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/*.deep.test.ts'],
  },
});
