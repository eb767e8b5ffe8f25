import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRuntimes, notInstalled, type Runtime } from '../find.ts';
import { command, root, runIn } from '../run-in.ts';
import { csvText, libsvmText, ndjsonText, temporaryFolder } from './support.ts';

const runtimes = findRuntimes();
const others = runtimes.slice(1);
const folder = temporaryFolder();

/** What the command is asked in every runtime, one after the other, in a folder that has d.svm, d.vw and t.csv. */
const lines = [
  'train d.svm --model a.model --report a.html',
  'train d.svm --model a.model --threads 8',
  'train d.svm --model l.model --ledger d.ledger --order shuffled --seed 3',
  'train d.vw --model v.model --rule sgd --threads 2',
  'train d.vw --model h.model --rule arow --bits 8',
  'train t.csv --model t.model --calibrate platt --holdout 0.2 --report t.html',
  'train t.csv --model i.model --calibrate isotonic --rule passive-aggressive',
  'train t.csv --model lt.model --ledger t.ledger',
  'train t.csv --model tree.model --rule tree --drawing tree.svg',
  'train t.csv --model k.model --rule kernel --passes 2',
  'train t.ndjson --model n.model --label kind',
  'predict a.model d.svm --scores --output scores.txt --threads 3',
  'predict v.model d.vw --threads 3',
  'predict t.model t.csv --probabilities --output probabilities.txt',
  'evaluate a.model d.svm --report evaluation.html --threads 4',
  'evaluate t.model t.csv --json',
  'certify d.svm --certificate d.certificate.json',
  'check d.certificate.json d.svm --threads 3',
  'ledger d.ledger d.svm --model again.model',
  'ledger t.ledger t.csv --row 5 --json',
  'ledger d.ledger d.svm --forget 3 --model without.model',
  'compare t.csv --repeats 1',
  'inspect t.model',
  'inspect tree.model --json',
  'train absent.svm',
  'train t.csv --rule nothing',
];

/** What may differ: how long it took. */
const withoutTimes = (text: string) =>
  text.replace(/"(total|seconds)\w*":[\d.]+/g, '').replace(/[\d.,]+ (s|ms|min)\b/g, '…');

/** Everything that the lines print and write, by name. */
async function allOf(runtime: Runtime): Promise<Record<string, string>> {
  const own = join(folder, runtime.name);
  mkdirSync(own);
  const svm = libsvmText(1200);
  writeFileSync(join(own, 'd.svm'), svm);
  writeFileSync(join(own, 'd.vw'), svm.replaceAll(/^(\S+)/gm, '$1 |f'));
  writeFileSync(join(own, 't.csv'), csvText(900));
  writeFileSync(join(own, 't.ndjson'), ndjsonText(300));
  const all: Record<string, string> = {};
  for (const line of lines) {
    const { status, out, err } = await runIn(runtime, own, command, line.split(' '));
    all[line] = withoutTimes(`${status}\n${out}\n${err}`);
  }
  for (const name of readdirSync(own)) all[name] = readFileSync(join(own, name), 'latin1');
  return all;
}

describe.skipIf(others.length === 0)(`the same bytes in every runtime (${notInstalled})`, () => {
  const first = runtimes[0]!;

  const library = (runtime: Runtime) => runIn(runtime, root, join(root, 'runtimes/programs/library.mjs'), []);
  test(`what the library makes of fixed examples: ${runtimes.map(({ name }) => name).join(', ')}`, async () => {
    const expected = await library(first);
    expect(expected).toMatchObject({ status: 0, err: '' });
    expect(expected.out.split('\n').length).toBeGreaterThan(40);
    for (const runtime of others) expect((await library(runtime)).out, runtime.name).toBe(expected.out);
  });

  const expected = others.length === 0 ? null : allOf(first);
  test('the lines that are compared do what they are for', async () => {
    const all = (await expected)!;
    for (const line of lines.slice(0, -2)) expect(all[line], line).toMatch(/^0\n/);
    for (const name of ['a.html', 'd.ledger', 'tree.svg', 'scores.txt', 'd.certificate.json', 'without.model'])
      expect(Object.keys(all)).toContain(name);
  });

  test.each(others)('what the command prints and writes in $name', async (runtime) => {
    const [here, there] = [(await expected)!, await allOf(runtime)];
    expect(Object.keys(there)).toEqual(Object.keys(here));
    for (const [name, bytes] of Object.entries(here)) expect(there[name], `${runtime.name}: ${name}`).toBe(bytes);
  });
});
