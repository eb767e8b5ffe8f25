import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const run = (...args: string[]) => halfspace(folder, args);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Returns JSON of the same value, with its members in another order and other white space. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, turned(each)] as const);
  return Object.fromEntries(members.reverse());
}

/** Writes a file again as other programs do: members in another order, in UTF-16 or with a byte order mark. */
function keepElsewhere(name: string): void {
  const json = JSON.stringify(turned(JSON.parse(read(name))), null, 1);
  writeFileSync(join(folder, `8-${name}`), `\uFEFF${json}`);
  writeFileSync(join(folder, `16-${name}`), `\uFEFF${json}`, 'utf16le');
}

test('models, states and certificates are read in any order of members and with any byte order mark', () => {
  const rows = Array.from({ length: 12 }, (_, i) => `${i},${i % 5},${i > 5 ? 'yes' : 'no'}`);
  writeFileSync(join(folder, 'data.csv'), `a,b,class\n${rows.join('\n')}\n`);
  run('train', 'data.csv', '--model', 'm.json', '--state', 's.state', '--rule', 'averaged', '--passes', '3');
  run('learn', 'l.state', 'data.csv', '--label', 'class');
  run('certify', 'data.csv', '--certificate', 'c.json');
  for (const name of ['m.json', 's.state', 'l.state', 'c.json']) keepElsewhere(name);

  const predicted = run('predict', 'm.json', 'data.csv', '--scores');
  const checked = run('check', 'c.json', 'data.csv');
  expect([predicted.status, checked.status]).toEqual([0, 0]);
  run('train', 'data.csv', '--continue', 's.state', '--model', 'later.json', '--state', 'later.state');
  for (const mark of ['8', '16']) {
    expect(run('predict', `${mark}-m.json`, 'data.csv', '--scores')).toEqual(predicted);
    expect(run('check', `${mark}-c.json`, 'data.csv')).toEqual(checked);
    const { status } = run('train', 'data.csv', '--continue', `${mark}-s.state`, '--model', 'again.json');
    expect(status).toBe(0);
    expect(read('again.json')).toBe(read('later.json'));
  }
  // The command writes the state again where it came from.
  for (const name of ['l.state', '8-l.state']) expect(run('learn', name, 'data.csv').status).toBe(0);
  expect(read('8-l.state')).toBe(read('l.state'));
});
