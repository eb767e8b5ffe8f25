import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv, decodeModel, evaluate } from 'halfspace';
import { Random } from 'halfspace/internal';
import { afterAll, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

test.each([
  [2, []],
  [2, ['--calibrate', 'platt']],
  [3, []],
  [3, ['--calibrate', 'isotonic']],
] as const)('the command prints what evaluate of the library returns: %d classes, %j', async (classes, calibrate) => {
  const random = new Random(classes);
  const lines = Array.from({ length: 300 }, () => {
    const [x, y] = [random.below(100), random.below(100)];
    return `${x},${y},${'abc'[Math.min(classes - 1, Math.floor((x + y + random.below(60)) / 80))]}`;
  });
  writeFileSync(join(folder, 'data.csv'), `x,y,class\n${lines.join('\n')}\n`);
  const trained = halfspace(folder, ['train', 'data.csv', '--model', 'm.json', ...calibrate]);
  expect(trained.status).toBe(0);
  const printed = JSON.parse(halfspace(folder, ['evaluate', 'm.json', 'data.csv', '--json']).out);
  const model = decodeModel(readFileSync(join(folder, 'm.json')));
  const judged = await evaluate(model, csv(join(folder, 'data.csv')));
  const { mostProbable, notes, ...all } = JSON.parse(JSON.stringify(judged)) as Record<string, unknown>;
  const known = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  expect(printed).toMatchObject(known);
  expect(notes).toEqual(printed.notes);
  if (mostProbable !== null) expect(mostProbable).toMatchObject(printed.mostProbable);
  expect([judged.rocArea !== null, judged.logLoss !== null]).toEqual([classes === 2, calibrate.length > 0]);
});
