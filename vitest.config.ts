import { defineConfig } from 'vitest/config';

/** `npm test` runs these files, `npm run test:deep` those that end in .deep.test.ts: sweeps that take long, and other runtimes. */
export const folders = ['test', 'packages/*/test', 'apps/*/test', 'bench/test', 'fuzz/test', 'runtimes/test'];

export const shared = {
  setupFiles: ['./vitest.setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    ...shared,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**', '**/*.deep.test.ts'],
  },
});
