// A file that is read, changed and replaced: no run loses what another one wrote there.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command, halfspaceAlone as halfspace, type Run, temporaryFolder } from '../run.ts';

const folder = temporaryFolder();

/** Rows of a table that a line separates, different ones for each k. */
const table = (rows: number, k: number) =>
  `a,b,class\n${Array.from({ length: rows }, (_, i) => `${i % 7},${(i * k) % 5},${i % 7 > 3 ? 'yes' : 'no'}`).join('\n')}\n`;

function start(args: readonly string[]): { child: ChildProcess; end: Promise<Run> } {
  const child = spawn(process.execPath, [command, ...args], { cwd: folder });
  const said = { out: '', err: '' };
  child.stdout!.on('data', (piece) => {
    said.out += piece;
  });
  child.stderr!.on('data', (piece) => {
    said.err += piece;
  });
  const end = new Promise<Run>((ended) => child.once('close', (status) => ended({ status, ...said })));
  return { child, end };
}

const stateOf = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const locks = () => readdirSync(folder).filter((name) => /\.(lock|partial)$/.test(name));

test('of runs of learn at the same time on one STATE, every row of those that succeed is in it', async () => {
  symlinkSync('shared.state', join(folder, 'linked.state'));
  for (let k = 1; k <= 4; k++) writeFileSync(join(folder, `${k}.csv`), table(300 * k, k));
  let rows = 0;
  for (let round = 0; round < 4; round++) {
    const runs = [1, 2, 3, 4].map((k) =>
      start([
        'learn',
        k === 4 ? 'linked.state' : 'shared.state',
        `${k}.csv`,
        '--label',
        'class',
        '--model',
        `${k}.model`,
      ]),
    );
    const ends = await Promise.all(runs.map(({ end }) => end));
    ends.forEach(({ status, err }, k) => {
      if (status === 0) rows += 300 * (k + 1);
      else {
        expect(status, err).toBe(4);
        expect(err).toMatch(/state: expected a file that no other run goes on from; got one that process \d+ will/);
      }
    });
    expect(stateOf('shared.state').rows).toBe(rows);
  }
  expect(rows).toBeGreaterThan(0);
  expect(locks()).toEqual([]);
});

test('of runs of train at the same time that go on from one state, every pass of those that succeed is in it', async () => {
  const train = ['train', '1.csv', '--label', 'class', '--passes', '1', '--state', 'run.state'];
  halfspace(folder, [...train, '--rule', 'averaged', '--model', 'run.model']);
  const before = stateOf('run.state').passes;
  const again = (k: number) => start([...train, '--continue', 'run.state', '--model', `run-${k}.model`]).end;
  const ends = await Promise.all([1, 2, 3].map(again));
  const done = ends.filter(({ status }) => status === 0).length;
  expect(done).toBeGreaterThan(0);
  expect(stateOf('run.state').passes).toBe(before + done);
});

test('a run that waits for rows holds its STATE, until it ends or is killed; others may read it', async () => {
  const args = ['learn', 'live.state', '1.csv', '--label', 'class'];
  expect(halfspace(folder, args).status).toBe(0);
  const live = start(['learn', 'live.state', '-', '--format', 'csv', '--label', 'class', '--progressive']);
  live.child.stdin!.write(table(1, 1));
  await new Promise((resolve) => live.child.stdout!.once('data', resolve));
  const { status, err } = halfspace(folder, args);
  expect([status, err]).toEqual([
    4,
    expect.stringContaining(`got one that process ${live.child.pid} will replace: wait`),
  ]);
  expect(halfspace(folder, ['learn', 'live.state', '--model', 'read.model']).status).toBe(0);
  live.child.kill('SIGKILL');
  await live.end;
  expect(locks()).toHaveLength(1);
  expect(halfspace(folder, args)).toMatchObject({ status: 0 });
  expect(stateOf('live.state').rows).toBe(600);
  expect(locks()).toEqual([]);
});

test.each(['replaced', 'made'])('a STATE that another program has %s is left as it is', async (how) => {
  const [state, path] = [`${how}.state`, join(folder, `${how}.state`)];
  if (how === 'replaced') writeFileSync(path, readFileSync(join(folder, 'live.state')));
  const run = start(['learn', state, '-', '--format', 'csv', '--label', 'class', '--progressive']);
  run.child.stdin!.write(table(1, 1));
  await new Promise((resolve) => run.child.stdout!.once('data', resolve));
  rmSync(path, { force: true });
  writeFileSync(path, 'other');
  run.child.stdin!.end();
  const { status, err } = await run.end;
  expect([status, err]).toEqual([3, expect.stringContaining(`${state}: expected the file that this run read`)]);
  // A file system may give the number of the removed file to the new one: then its size tells that it is another.
  const change =
    how === 'made' ? /one that was made since: it/ : /one that was (replaced|cut from \d+ to 5 bytes) since: it/;
  expect(err).toMatch(change);
  expect(readFileSync(path, 'utf8')).toBe('other');
});

test('a STATE that was removed during the run is written again', async () => {
  const run = start(['learn', 'removed.state', '-', '--format', 'csv', '--label', 'class', '--save-every', '1']);
  run.child.stdin!.write(table(5, 1));
  while (!existsSync(join(folder, 'removed.state'))) await new Promise((resolve) => setTimeout(resolve, 10));
  rmSync(join(folder, 'removed.state'));
  run.child.stdin!.end(table(5, 1).replace(/^.*\n/, ''));
  expect(await run.end).toMatchObject({ status: 0 });
  expect(stateOf('removed.state').rows).toBe(10);
});
