import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiReport, reported, root } from '../scripts/api-report.mjs';

describe.each(reported)('the report of %s', (folder) => {
  test('lists the public names as they are (to write it again: npm run api), nothing private and no comments but places', () => {
    const committed = readFileSync(join(root, folder, 'api.txt'), 'utf8');
    expect(apiReport(folder), `${folder}/api.txt is not up to date: run \`npm run api\` and commit the file`).toBe(
      committed,
    );
    const lines = committed.split('\n');
    expect(lines.filter((line) => /\/\*|^ *\/\/ (?![\w/-]+\.d\.ts$)|#\w|\bprivate\b/.test(line))).toEqual([]);
  });
});
