import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApp, type Example, openModels } from '../../src/index.ts';
import { asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/folder.ts';

const [first, second]: readonly [Example, Example] = [
  { row: { size: 1, colour: 'red' }, label: 'a' },
  { row: { size: 2, colour: 'blue' }, label: 'b' },
];

/** Opens a service with a model `m`. */
async function begin(dir = temporaryFolder()) {
  const models = await openModels({ dir });
  if (models.get('m') === null) await models.put('m', { kind: 'learning', options: {} });
  const ask = await asking(await createApp(models, { limits: { body: 2 ** 25 } }));
  const learn = async (body: object, headers = {}) =>
    (await ask({ method: 'POST', url: '/v1/models/m/learn', body, headers })).json;
  return { models, learn };
}

const reused = { status: 422, code: 'idempotency-key-reused' };

test('an id or a key that stood for another example is refused, whatever differs', async () => {
  const { models, learn } = await begin();
  await learn(first, { 'idempotency-key': 'k' });
  await learn({ ...first, id: 'a' });
  for (const other of [second, { ...first, label: 'b' }, { ...first, importance: 2 }, { ...first, row: {} }]) {
    expect(await learn(other, { 'idempotency-key': 'k' })).toMatchObject(reused);
    const { outcomes } = await learn({ examples: [other, first].map((each) => ({ ...each, id: 'a' })) });
    expect(outcomes).toMatchObject([{ problem: reused }, { duplicate: true }]);
  }
  // Of examples that wait for the disk, too.
  const { outcomes } = await learn({ examples: [first, second].map((each) => ({ ...each, id: 'b' })) });
  expect(outcomes).toMatchObject([{ sequence: 3, duplicate: false }, { problem: reused }]);
  expect((await learn({ ...first, id: 'a\u0000b' })).code).toBe('option-invalid');
  await models.close();
});

test('what is learned can be read again: longer labels and rows are refused, however large a body may be', async () => {
  const dir = temporaryFolder();
  const { models, learn } = await begin(dir);
  for (const sign of ['漢', '\u0000']) {
    const most = 2 ** 22 - 200;
    const wide = (length: number) => ({
      ...second,
      row: { text: sign.repeat(Math.floor(length / (JSON.stringify(sign).length - 2))) },
    });
    expect(await learn({ ...first, label: sign.repeat(1024) })).toMatchObject({ duplicate: false });
    expect((await learn({ ...first, label: sign.repeat(1025) })).code).toBe('request-invalid');
    expect(await learn([{ ...first, label: sign.repeat(1025) }])).toMatchObject([
      { problem: { code: 'label-classes' } },
    ]);
    expect(await learn(wide(most))).toMatchObject({ duplicate: false });
    expect((await learn(wide(2 * most + 2000))).code).toMatch(/row-malformed|body-too-large/);
  }
  const { version } = models.get('m')!;
  const copy = `${temporaryFolder()}/copy`;
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') });
  await models.close();
  // As after a kill: the journal is all that there is.
  const again = await openModels({ dir: copy });
  expect(again.get('m')!.version).toEqual(version);
  await again.close();
});
