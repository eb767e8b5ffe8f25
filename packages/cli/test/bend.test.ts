import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

/** Plants that live between 10 and 25 degrees; shade does not matter. */
const plants = Array.from({ length: 300 }, (_, i) => {
  const degrees = ((i * 37) % 400) / 10;
  return `${degrees},${i % 7},${degrees > 10 && degrees < 25 ? 'alive' : 'dead'}`;
});

beforeAll(() => writeFileSync(join(folder, 'plants.csv'), `degrees,shade,state\n${plants.join('\n')}\n`));

describe('bent numbers', () => {
  test('are chosen, shown as a curve and explained by one term for each column', () => {
    const args = ['--label', 'state', '--positive', 'alive', '--report', 'plants.html'];
    const run = halfspace(folder, ['train', 'plants.csv', ...args]);
    expect(run.status).toBe(0);
    expect(run.out).toMatch(/→ logistic, alpha .*, bent /);
    // Low, then high, then low.
    expect(run.out).toMatch(/Strongest {2}degrees {2}[▁-▄]{3}[▁-█]*█[▁-█]*[▁-▄]{3} *-[\d.]+ to [\d.]+ for alive\n/);
    const page = readFileSync(join(folder, 'plants.html'), 'utf8');
    expect(page).toContain('Rules tried');
    // All rows were learned at once.
    expect(page).not.toContain('Updates in each pass');
    const inspected = halfspace(folder, ['inspect', 'plants.model.json']);
    expect(inspected.out).toMatch(/degrees {2}[▁-█]{24} {2}-/);
    const explained = halfspace(folder, ['predict', 'plants.model.json', 'plants.csv', '--explain', '3']);
    const [first] = explained.out.split('row 2:');
    expect(first!.match(/^ *[+-][\d.]+ {2}degrees = /gm)).toHaveLength(1);
  });

  test('are left straight where that is asked for', () => {
    const run = halfspace(folder, ['train', 'plants.csv', '--label', 'state', '--bend', 'none', '--model', 's.json']);
    expect(run.out).not.toMatch(/bent|crossed/);
    expect(halfspace(folder, ['train', 'plants.csv', '--bend', '0'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('expected --bend to be auto, none or a whole number from 1 to 999; got 0'),
    });
    expect(halfspace(folder, ['train', 'plants.csv', '--rule', 'averaged', '--bend', '9'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('bend is for the rules auto and logistic; got 9 for another'),
    });
  });
});
