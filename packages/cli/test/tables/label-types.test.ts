import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { halfspace, temporaryFolder } from '../run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

describe('labels of a query keep their types', () => {
  it.each([
    ['x > 2', 'boolean', 'true'],
    ['x * 2', 'number', '8'],
    ['CAST(x / 4 AS DOUBLE)', 'number', '1'],
    ['453201511283036611 + x', 'bigint', '453201511283036615'],
    ["'0' || x", undefined, '"04"'],
  ])('%s', (label, type, last) => {
    const values = '(VALUES (1), (2), (3), (4)) AS t(x)';
    const run = halfspace(folder, [
      'train',
      '--sql',
      `SELECT x, ${label} AS y FROM ${values}`,
      '--label',
      'y',
      '--rule',
      'tree',
      '--model',
      'm.json',
    ]);
    expect(run.status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8')).labelType).toBe(type);
    const predicted = halfspace(folder, [
      'predict',
      'm.json',
      '--sql',
      `SELECT x FROM ${values}`,
      '--output',
      'p.ndjson',
    ]);
    expect([predicted.status, predicted.err]).toEqual([0, '']);
    const lines = readFileSync(join(folder, 'p.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.at(-1)).toContain(`"prediction":${last}`);
  });
});
