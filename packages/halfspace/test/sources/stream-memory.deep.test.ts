import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const script = resolve(import.meta.dirname, '../../../../bench/src/tables/stream-memory.mjs');

test('memory does not grow with data that can be read only once', () => {
  const args = ['--max-old-space-size=120', script, '--json', '--rows'];
  const peaks = (rows: number) => {
    const results: { source: string; rows: number; mebibytes: number }[] = JSON.parse(
      execFileSync(process.execPath, [...args, String(rows)], { encoding: 'utf8' }),
    );
    for (const result of results) expect(result.rows).toBe(rows);
    return results.map(({ mebibytes }) => mebibytes);
  };
  // The aim is 150 MiB (108 to 133 measured alone). On a busy machine the collector comes later: 180 were seen. A copy
  // of the rows would take above 600.
  for (const peak of peaks(600_000)) expect(peak).toBeLessThan(250);
}, 300_000);
