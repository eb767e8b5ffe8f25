import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { defineConfig } from 'vitest/config';
import { folders, shared } from './vitest.config.ts';

const deep = folders.map((folder) => `${folder}/**/*.deep.test.ts`);
/** Files with properties, which `npm test` tries on fewer examples. */
const properties = globSync(
  folders.map((folder) => `${folder}/**/*.test.ts`),
  { ignore: deep },
).filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));

export default defineConfig({
  test: { ...shared, include: [...deep, ...properties], testTimeout: 600_000, hookTimeout: 600_000 },
});
