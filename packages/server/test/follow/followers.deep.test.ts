import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exampleOf, temporaryFolder } from '../support/examples.ts';
import { StartedCommand } from '../support/started-command.ts';

/** Seconds of load before each event. */
const seconds = Number(process.env.TEST_SECONDS ?? 4);

test('under load a follower and the writer are killed: the others answer on, and all end equal', {
  timeout: 600_000,
}, async () => {
  const folder = temporaryFolder();
  const start = (name: string, settings: object) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify({ dir: name, port: 0, segmentBytes: 2 ** 18, logLevel: 'warn', ...settings }));
    return new StartedCommand(['--config', path]);
  };
  let writer = start('writer', {});
  const url = (await writer.url)!;
  // It has the same port after a restart.
  const port = Number(new URL(url).port);
  const follow = { url };
  const followers = ['a', 'b', 'c'].map((name) => start(name, { follow }));
  for (const name of ['m', 'n'])
    await writer.ask(`v1/models/${name}`, { method: 'PUT', body: { kind: 'learning', options: { label: 'x' } } });

  const counts = { learned: 0, predicted: 0, unanswered: 0, mostBehind: 0 };
  let isOver = false;
  let isWriterUp = true;
  const killed = new Set<StartedCommand>();
  const teach = async (name: string, begin: number) => {
    for (let k = begin; !isOver; ) {
      const examples = Array.from({ length: 5 }, (_, i) => exampleOf(`${k + i}`));
      const answer = isWriterUp ? await writer.ask(`v1/models/${name}/learn`, { body: { examples } }) : null;
      if (answer?.status !== 200) {
        // The same examples again: their ids let nothing be learned twice.
        await sleep(20);
        continue;
      }
      counts.learned += examples.length;
      k += examples.length;
    }
  };
  const predict = async (at: number) => {
    for (let k = 0; !isOver; k++) {
      const follower = followers[at]!;
      const { row } = exampleOf(`${k}`);
      const answer = await follower.ask('v1/models/m/predict', { body: { row } });
      if (answer?.status === 200) counts.predicted++;
      else if (!killed.has(follower)) counts.unanswered++;
      else await sleep(20);
      if (k % 100 !== 0) continue;
      const ready = await follower.ask('readyz');
      if (ready?.status === 200)
        counts.mostBehind = Math.max(counts.mostBehind, JSON.parse(ready.text).following.behindRecords);
    }
  };
  for (const follower of followers) while ((await follower.ask('readyz'))?.status !== 200) await sleep(50);
  while ((await followers[0]!.ask('v1/models/m'))?.status !== 200) await sleep(50);
  for (const follower of followers) while ((await follower.ask('v1/models/n'))?.status !== 200) await sleep(50);
  const load = [...[0, 1, 2, 3].map((k) => teach(k % 2 === 0 ? 'm' : 'n', k * 1e6)), ...[0, 1, 2].map(predict)];

  await sleep(1000 * seconds);
  const dead = followers[1]!;
  killed.add(dead);
  await dead.kill();
  await sleep(1000 * seconds);
  followers[1] = start('b', { follow });
  killed.add(followers[1]);
  while ((await followers[1].ask('readyz'))?.status !== 200) await sleep(50);
  await sleep(1000 * seconds);
  isWriterUp = false;
  await writer.kill();
  await sleep(1000 * seconds);
  writer = start('writer', { port });
  await writer.url;
  isWriterUp = true;
  await sleep(1000 * seconds);
  isOver = true;
  await Promise.all(load);

  const digests = async (of: StartedCommand) =>
    JSON.parse((await of.ask('v1/models'))!.text).models.map((each: { version: object }) => each.version);
  const expected = await digests(writer);
  for (const follower of followers) {
    const isEqual = async () => JSON.stringify(await digests(follower)) === JSON.stringify(expected);
    for (let turn = 0; !(await isEqual()) && turn < 300; turn++) await sleep(100);
    expect(await digests(follower)).toEqual(expected);
    for (const name of ['m', 'n']) {
      const states = await Promise.all([writer, follower].map((each) => each.ask(`v1/models/${name}/state`)));
      expect(states[1]!.text).toBe(states[0]!.text);
    }
  }
  console.log(JSON.stringify(counts));
  expect(counts.unanswered).toBe(0);
  expect(expected[0].sequence).toBeGreaterThan(100);
});
