import { defineConfig } from 'vitest/config';
import { folders, shared } from './vitest.config.ts';

export default defineConfig({
  test: {
    ...shared,
    include: folders.map((folder) => `${folder}/**/*.deep.test.ts`),
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
