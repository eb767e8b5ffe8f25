import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { libsvm, Predictor, train } from 'halfspace';
import { toLiblinear } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-liblinear-'));
afterAll(() => rmSync(folder, { recursive: true }));
const installed = spawnSync('liblinear-predict', []).error === undefined;

/** Random libsvm text with these labels. */
function text(labels: readonly string[], rows: number, seed: number): string {
  const r = new Random(seed);
  const lines = Array.from({ length: rows }, () => {
    const k = r.below(labels.length);
    const at = [1 + k, 5 + r.below(4), 10 + r.below(9)];
    return `${labels[k]} ${at.map((j) => `${j}:${(r.uniform() * 3).toFixed(3)}`).join(' ')}`;
  });
  return `${lines.join('\n')}\n`;
}

test.each([
  [['-1', '1'], { rule: 'averaged' }],
  [['-1', '1'], { rule: 'perceptron', scaling: 'unit-ball', tie: 1 }],
  [['0', '3', '7'], { rule: 'averaged' }],
] as const)('the file of classes %j has the scores of the model', async (labels, options) => {
  const data = text(labels, 300, 1);
  const { model } = await train(libsvm(data), { seed: 1, passes: 2, ...options } as never);
  const file = toLiblinear(model);
  const [, width, bias] = /nr_feature (\d+)\nbias (\S+)/.exec(file)!.map(Number);
  const order = /label (.*)/.exec(file)![1]!.split(' ');
  const rows = file
    .slice(file.indexOf('\nw\n') + 3)
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(' ').map(Number));
  expect(rows.length).toBe(width! + (bias! > 0 ? 1 : 0));
  const predictor = new Predictor(model);
  const judged = text(labels, 200, 2);
  const expected: string[] = [];
  for (const line of judged.trimEnd().split('\n')) {
    const pairs = line
      .split(' ')
      .slice(1)
      .map((pair) => pair.split(':').map(Number) as [number, number]);
    const row = { indices: pairs.map(([j]) => j), values: pairs.map(([, x]) => x) };
    const scores = rows[0]!.map((_, k) =>
      pairs.reduce((sum, [j, x]) => sum + (rows[j - 1]?.[k] ?? 0) * x, bias! > 0 ? rows[width!]![k]! : 0),
    );
    const given =
      scores.length === 1 ? (scores[0]! > 0 ? order[0] : order[1]) : order[scores.indexOf(Math.max(...scores))];
    expect(given).toBe(String(predictor.predict(row)));
    expected.push(given!);
  }
  if (!installed) return console.warn('not run: liblinear-predict is not installed');
  for (const [name, content] of [
    ['data', judged],
    ['model', file],
  ] as const)
    writeFileSync(join(folder, name), content);
  execFileSync('liblinear-predict', ['data', 'model', 'out'], { cwd: folder });
  expect(readFileSync(join(folder, 'out'), 'utf8').trimEnd().split('\n')).toEqual(expected);
});
