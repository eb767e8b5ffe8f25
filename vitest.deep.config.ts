import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';
import { filesOfSources, folders, shared } from './vitest.config.ts';

const deep = folders.map((folder) => `${folder}/**/*.deep.test.ts`);
/** Files with properties, which `npm test` runs with fewer examples, and files that have fewer cases there. */
const shortened = globSync(
  folders.map((folder) => `${folder}/**/*.test.ts`),
  { ignore: deep },
).filter((file) => /TEST_DEEP|support\/(properties|quick)\.ts'/.test(readFileSync(file, 'utf8')));

export default defineConfig({
  plugins: [filesOfSources],
  test: {
    ...shared,
    include: [...deep, ...shortened],
    env: { TEST_DEEP: '1' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
