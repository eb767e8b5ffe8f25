import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isDeep, some } from '../../../../test/support/quick.ts';
import { command, temporaryFolder } from '../run.ts';

/* A device without an end, in the place of each input of the command. Before, each of them took all memory or time. */

const folder = temporaryFolder();
writeFileSync(join(folder, 'data.csv'), 'a,y\n1,x\n2,z\n');
writeFileSync(join(folder, 'columns.json'), '{}');

const doors: readonly string[] = [
  'train /dev/zero --label y',
  'train /dev/zero --format ndjson --label y',
  'train /dev/zero --format json --label y',
  'train /dev/zero --format tsv --label y',
  'train /dev/zero --format libsvm',
  'train /dev/zero --format vw',
  'train /dev/zero --format parquet --label y',
  'train /dev/zero --label y --encoding latin1',
  'train data.csv --label y --features /dev/zero',
  'train data.csv --label y --continue /dev/zero --state s.state',
  'train data.csv --label y --validate /dev/zero',
  'learn s.learn /dev/zero --label y --rule perceptron',
  'learn /dev/zero data.csv',
  'inspect /dev/zero',
  'predict /dev/zero data.csv',
  'evaluate /dev/zero data.csv',
  'check /dev/zero data.csv',
  'certify /dev/zero --label y',
  'import /dev/zero --model m.json',
  'import /dev/zero --from json --model m.json',
  'worker --job /dev/zero',
  'mix --job /dev/zero --state data.csv --model m.json',
  'export /dev/zero --format sql',
  'serve /dev/zero',
  'serve --config /dev/zero',
  'lab /dev/zero',
];

describe.skipIf(process.platform === 'win32').each(some(doors, 5))('halfspace %s', (line) => {
  test('ends with an error', { timeout: 60_000 }, () => {
    const options = { cwd: folder, encoding: 'utf8', timeout: 40_000 } as const;
    const limited = `ulimit -f 200000; exec "$0" "$@"`;
    const args = ['-c', limited, process.execPath, '--max-old-space-size=600', command, ...line.split(' ')];
    const { status, stderr, signal } = spawnSync('sh', args, options);
    expect({ signal, stderr }).toMatchObject({ signal: null, stderr: expect.stringMatching(/^halfspace: /m) });
    expect(stderr).not.toMatch(/temporary file|larger than/);
    expect(status, stderr).toBeGreaterThan(1);
    expect(status, stderr).toBeLessThan(6);
  });
});

test.skipIf(process.platform === 'win32').each(
  some(
    [
      ['a ZIP archive', 'PK\\003\\004', 'got a ZIP archive'],
      ['a page', '<!doctype html>', 'got an HTML page'],
      ['binary data', '\\000', 'got binary data'],
    ],
    3,
  ),
)('%s from a pipe is refused before it is copied', (_, start, message) => {
  const pipe = `(printf '${start}'; cat /dev/zero) | "$0" "$1" train - --label y --format csv`;
  const options = { cwd: folder, encoding: 'utf8', timeout: 40_000 } as const;
  const { status, stderr } = spawnSync('sh', ['-c', `ulimit -f 20000; ${pipe}`, process.execPath, command], options);
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining(message) });
});

test.runIf(isDeep && process.platform !== 'win32')(
  'a line of delimiters without an end takes little memory',
  () => {
    const options = { cwd: folder, encoding: 'utf8', timeout: 60_000 } as const;
    spawnSync(process.execPath, [command, 'train', 'data.csv', '--label', 'y', '--model', 'm.json'], options);
    const pipe = `tr '\\000' '\\t' < /dev/zero | "$0" --max-old-space-size=400 "$1" predict m.json -`;
    const { status, stderr } = spawnSync('sh', ['-c', pipe, process.execPath, command], options);
    expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining('expected a line of at most') });
  },
  60_000,
);
