import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { EventParser } from '../../src/client/events.ts';
import { groupsOf } from '../../src/client/groups.ts';

test('groups hold all values in order, none too large, and one value is read ahead', async () => {
  const source = fc.record({
    values: fc.array(fc.record({ text: fc.string({ maxLength: 9 }), isSlow: fc.boolean() }), { maxLength: 40 }),
    most: fc.integer({ min: 1, max: 9 }),
    error: fc.option(fc.constant(new Error('the source failed'))),
    isAsync: fc.boolean(),
    leaveAfter: fc.integer({ min: 0, max: 60 }),
  });
  await forAllAsync(100, source, async ({ values, most, error, isAsync, leaveAfter }) => {
    let read = 0;
    let isClosed = false;
    async function* slow() {
      try {
        for (const { text, isSlow } of values) {
          if (isSlow) await new Promise((resolve) => setTimeout(resolve, 0));
          read++;
          yield text;
        }
        if (error !== null) throw error;
      } finally {
        isClosed = true;
      }
    }
    const texts = values.map(({ text }) => text);
    const got: string[] = [];
    let found: unknown = null;
    try {
      for await (const group of groupsOf(isAsync ? slow() : texts, (text, i) => `${i}:${text}`, most)) {
        expect(group.length).toBeGreaterThan(0);
        expect(group.length).toBeLessThanOrEqual(most);
        got.push(...group);
        if (isAsync) expect(read - got.length).toBeLessThanOrEqual(1);
        if (got.length > leaveAfter) break;
      }
    } catch (thrown) {
      found = thrown;
    }
    const isWhole = got.length <= leaveAfter;
    expect(got).toEqual(texts.slice(0, got.length).map((text, i) => `${i}:${text}`));
    if (isWhole) expect({ count: got.length, found }).toEqual({ count: texts.length, found: isAsync ? error : null });
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (isAsync && got.length > 0) await expect.poll(() => isClosed, { interval: 1 }).toBe(true);
  });
});

test('a value that waits for nothing is not kept from an answer by one that does', async () => {
  async function* live() {
    yield 1;
    yield 2;
    await new Promise(() => {});
  }
  const groups = groupsOf(live(), String, 10);
  expect((await groups.next()).value).toEqual(['1', '2']);
});

test('events are read from any pieces, with any ends of lines', () => {
  const line = fc.stringMatching(/^[a-zäß: ]{0,9}$/);
  const event = fc.record({
    type: fc.constantFrom('alarm', 'state'),
    id: fc.nat(),
    data: fc.array(line, { minLength: 1 }),
  });
  const end = fc.constantFrom('\n', '\r\n', '\r');
  forAll(fc.array(event), end, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (events, newline, sizes) => {
    const lines = events.flatMap(({ type, id, data }) => [
      ': a comment',
      `event: ${type}`,
      `id:${id}`,
      ...data.map((each) => `data: ${each}`),
      '',
    ]);
    const text = ['retry: 7', ...lines, 'data: not complete'].join(newline);
    const parser = new EventParser();
    const got = [];
    for (let i = 0; i < text.length; ) {
      const size = sizes.next().value;
      got.push(...parser.push(text.slice(i, i + size)));
      i += size;
    }
    expect(got).toEqual(events.map(({ type, id, data }) => ({ type, id: String(id), data: data.join('\n') })));
    expect(parser.retryMs).toBe(7);
  });
});

test('the client takes at most 4 kB of a page, compressed, and needs nothing but the platform', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, '../../src/client/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(4000);
  const inputs = Object.entries(metafile.inputs);
  for (const [path, { imports }] of inputs) {
    expect(path).toMatch(/packages\/server\/src\/client\/[\w-]+\.ts$/);
    for (const each of imports) expect(each.path).toMatch(/packages\/server\/src\/client\//);
  }
});
