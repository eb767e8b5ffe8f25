import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const files = globSync(
  ['packages/*/src/**/*.ts', 'packages/halfspace/assembly/*.ts', 'apps/*/src/**/*.{ts,svelte}', 'test/*.ts'],
  { cwd: root, ignore: ['**/{newton,wasm}-module.ts', '**/zstd-module.ts'] },
);

/** Returns the comment lines of all sources that match, with their places. */
function commentLines(matches: (line: string) => boolean): string[] {
  return files.sort().flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        /^\s*(\/\*|\*|\/\/)/.test(line) && matches(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [],
      ),
  );
}

test('comments fit into 120 columns', () => {
  expect(commentLines((line) => [...line].length > 120)).toEqual([]);
});

test('docstrings open with a verb or a noun phrase', () => {
  expect(commentLines((line) => /\/\*\* (What|Whether|Who|Whose|How|Where|When|Which)\b/.test(line))).toEqual([]);
});
