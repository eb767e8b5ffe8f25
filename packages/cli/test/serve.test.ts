import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModels } from 'halfspace-server';
import { expect, test } from 'vitest';
import { command, halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

// A machine that is stopped for a moment is not too busy.
writeFileSync(join(folder, 'settings.json'), JSON.stringify({ port: 0 }));

/** Starts the service and waits for its address. */
async function start(...args: string[]) {
  const child = spawn(process.execPath, [command, 'serve', '--config', 'settings.json', ...args], { cwd: folder });
  const ended = once(child, 'close');
  let out = '';
  for await (const piece of child.stdout) {
    out += piece;
    if (out.includes('Ctrl-C ends it.')) break;
  }
  const url = /The service is at (\S+)\n/.exec(out)![1]!;
  const ask = async (path: string, body: object, method = 'POST') => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(new URL(path, url), { method, body: JSON.stringify(body), headers })).json();
  };
  return { child, ended, out, ask };
}

test('serve answers like predict, learns, and ends by a termination request with all that it learned', async () => {
  writeFileSync(join(folder, 'points.csv'), 'x,y,class\n1,2,a\n2,1,b\n2,3,a\n4,1,b\n1,5,a\n3,2,b\n');
  halfspace(folder, ['train', 'points.csv', '--label', 'class', '--rule', 'averaged']);
  const first = await start('points.model.json', '--dir', 'service');
  expect(first.out).toContain('It serves points.');
  const { out } = halfspace(folder, ['predict', 'points.model.json', 'points.csv', '--scores']);
  const [name, score] = out.split('\n')[0]!.split('\t');
  const row = { x: 1, y: 2 };
  expect(await first.ask('v1/models/points/predict', { row })).toMatchObject({ class: name, scores: [Number(score)] });
  await first.ask('v1/models/new', { kind: 'learning' }, 'PUT');
  const learned = await first.ask('v1/models/new/learn', { row, label: 'a' });
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual([0, null]);
  const second = await start('--dir', 'service');
  expect(second.out).toContain('It serves new, points.');
  const predicted = (await second.ask('v1/models/new/predict', { row })) as { version: object };
  expect(predicted.version).toEqual((learned as { version: object }).version);
  second.child.kill('SIGINT');
  expect(await second.ended).toEqual([0, null]);
});

test.each<[args: string[], message: string]>([
  [[], 'expected model files, or --dir for models that learn; got neither'],
  [['.'], 'expected model files; got the folder ".": --dir "." serves the models in it'],
  [['absent.json'], 'absent.json: expected a readable file; got no such file'],
  [['points.model.json', '--host', '0.0.0.0'], 'for an address that other machines reach'],
])('serve %j is refused', (args, message) => {
  const { status, err } = halfspace(folder, ['serve', ...args]);
  expect(err).toContain(message);
  expect(status).toBeGreaterThan(0);
});

test('serve --check tells what is damaged, changes nothing, and brings back what --repair can', async () => {
  const folderOf = (...names: string[]) => join(folder, 'checked', ...names);
  const models = await openModels({ dir: folderOf() });
  for (const name of ['ham', 'spam']) {
    await models.put(name, { kind: 'learning', options: {} });
    await models.get(name)!.learn([{ row: { x: 1 }, label: 'a' }]);
  }
  expect(halfspace(folder, ['serve', '--check', 'checked'])).toMatchObject({
    status: 4,
    err: expect.stringContaining('stop that service'),
  });
  await models.close();
  const whole = { status: 0, out: 'ham: whole, to record 1\nspam: whole, to record 1\n' };
  expect(halfspace(folder, ['serve', '--check', 'checked'])).toMatchObject(whole);
  rmSync(folderOf('models/ham/current'));
  for (let k = 0; k < 2; k++)
    expect(halfspace(folder, ['serve', '--check', 'checked'])).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /^ham: damaged; --repair brings it back as of record 1\n {2}checked.*current.*\nspam: whole/,
      ),
    });
  expect(halfspace(folder, ['serve', '--check', 'checked', '--repair'])).toMatchObject({
    status: 0,
    out: expect.stringContaining('ham: brought back as of record 1\n'),
  });
  expect(halfspace(folder, ['serve', '--check', 'checked'])).toMatchObject(whole);
});

test.each([['--repair'], ['--check', '.', '--port', '0'], ['--check', '.', 'points.model.json']])(
  'serve %s %s is refused',
  (...args) => {
    const { status, err } = halfspace(folder, ['serve', ...args]);
    expect(err).toMatch(/--check FOLDER/);
    expect(status).toBe(2);
  },
);
