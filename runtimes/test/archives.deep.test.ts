import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findRuntimes, notInstalled, type Runtime } from '../find.ts';
import { command, root, runIn } from '../run-in.ts';
import { libsvmText, temporaryFolder } from './support.ts';

const runtimes = findRuntimes();
const withZstd = runtimes.find(({ name }) => name === 'Node 24');
const { folder, clear } = temporaryFolder();
afterAll(clear);

const rows = 60;

/** For each archive the rows read from it, or the refusal. */
async function readAll(runtime: Runtime, names: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const { status, out, err } = await runIn(runtime, folder, command, ['evaluate', 'a.model', name, '--json']);
    found[name] = status === 0 ? `${JSON.parse(out).examples} rows` : `${status} ${err.trim()}`;
  }
  return found;
}

describe.skipIf(withZstd === undefined)(`archives in every runtime (${notInstalled})`, () => {
  const archives = (async () => {
    writeFileSync(join(folder, 'd.svm'), libsvmText(rows));
    await runIn(withZstd!, folder, command, ['train', 'd.svm', '--model', 'a.model']);
    const made = await runIn(withZstd!, folder, join(root, 'runtimes/programs/archives.mjs'), ['.', 'd.svm']);
    expect(made).toMatchObject({ status: 0, err: '' });
    const names = readdirSync(folder).filter((name) => /\.(gz|zst)$/.test(name));
    return { names, expected: await readAll(runtimes[0]!, names) };
  })();
  archives.catch(() => {});

  test('whole and joined ones give all rows, however many members and frames they have; no other gives a part', async () => {
    const { names, expected } = await archives;
    for (const name of names) {
      const { [name]: found = '' } = expected;
      if (/^(whole|joined|empty-member|skippable-.*)\./.test(name)) expect(found, name).toBe(`${rows} rows`);
      // A damaged checksum or header may be told from all that was meant to be there, never from less.
      else expect(found, name).toMatch(new RegExp(`^(${rows} rows|3 .*(expected|got).*)$`));
      if (/^(cut|second-cut|garbage-behind)/.test(name)) expect(found, name).toMatch(/^3 /);
    }
  });

  test.each(runtimes.slice(1))('are read alike in $name, and refused with the same words', async (runtime) => {
    const { names, expected } = await archives;
    expect(await readAll(runtime, names)).toEqual(expected);
  });
});
