import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodeModel, encodeModel, HalfspaceError, type Model } from 'halfspace';
import { bytesSource, functionsOf, isDual, libsvmFormat, TextSource, trainOnce, vwFormat } from 'halfspace/internal';
import { openBytes, parseAhead } from 'halfspace/node';
import { createKernels } from 'halfspace/rules';
import { afterAll, describe, expect, test } from 'vitest';
import type { Format } from '../src/files/formats.ts';
import { openTable } from '../src/tables/source.ts';
import { root, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

/** A small generator with a fixed seed: a failure can be run again. */
let state = 20_26;
const random = (count: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};
const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;

const nasty = [
  'nan',
  'inf',
  '-inf',
  '1e999',
  '-1e999',
  '1e-999',
  '0x10',
  '1_0',
  '--1',
  '+-1',
  '1.2.3',
  '.',
  '-',
  '+',
  'e',
  '1e',
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\x01',
  '\x7f',
  '\ufeff',
  '\ufffd',
  '4294967295',
  '4294967296',
  '99999999999',
  '18446744073709551616',
  ':',
  '::',
  '1:',
  ':1',
  '|',
  '||',
  '|:',
  "'",
  '"',
  '""',
  '"a',
  ',',
  ',,',
  ';',
  '#',
  '{',
  '}',
  '[',
  ']',
  'null',
  'true',
  '?',
  'NA',
  '__proto__',
  'constructor',
  'é',
  '日本',
  '💥',
  '\ud800',
  'x'.repeat(300),
  '9'.repeat(400),
  '-0',
  '0',
];

/** One to three changes: cut, repeat, swap, insert something nasty, flip a byte. */
function mutate(original: Buffer): Buffer {
  let bytes = original;
  for (let n = 1 + random(3); n > 0; n--) {
    const at = random(bytes.length + 1);
    const to = Math.min(bytes.length, at + random(12));
    const change = random(6);
    if (change === 0) bytes = bytes.subarray(0, at);
    else if (change === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    else if (change === 2) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    else if (change === 3) {
      bytes = Buffer.from(bytes);
      if (bytes.length > 0) bytes[random(bytes.length)] = random(256);
    } else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(nasty)), bytes.subarray(at)]);
  }
  return bytes;
}

interface Outcome {
  right: number;
  refused: number;
}

/** Runs `use` on many mutations. Whatever comes must be a result that holds, or a refusal in one line. */
async function fuzz(
  count: number,
  seeds: readonly Buffer[],
  use: (bytes: Buffer) => Promise<void> | void,
): Promise<Outcome> {
  const outcome: Outcome = { right: 0, refused: 0 };
  for (let i = 0; i < count; i++) {
    const bytes = mutate(pick(seeds));
    try {
      await use(bytes);
      outcome.right++;
    } catch (error) {
      const shown = `${JSON.stringify(bytes.toString('latin1'))}\n${(error as Error).stack}`;
      expect(error, shown).toBeInstanceOf(HalfspaceError);
      const { message } = error as HalfspaceError;
      expect(message, shown).toMatch(/expected/);
      expect(message, shown).not.toMatch(/\n|undefined|\[object|INTERNAL/);
      expect(message.length, shown).toBeLessThan(1500);
      outcome.refused++;
    }
  }
  return outcome;
}

/** A model that came out must hold: finite, and the same after being written and read. */
function checkModel(model: Model): void {
  for (const each of functionsOf(model)) expect(isDual(each) || each.weights.every(Number.isFinite)).toBe(true);
  const text = encodeModel(model);
  expect(encodeModel(decodeModel(text))).toBe(text);
}

const kernels = createKernels();

describe('malformed input gives a clear error or a right result, never a crash', () => {
  const svm = [
    '1 1:1 2:0.5\n-1 2:1 3:-2e-1 # why\n\n1 1:0.25 7:3\n-1 3:1\n',
    '0 0:1 5:2.5\r\n1 70000:1\r\n0 5:1',
    '2 1:1\n4 2:1\n',
  ];
  const vw = [
    "1 2.0 'tag|a x:1 y |b z\n-1 |a:0.5 x y:-3\n1 | plain words\n-1 1.5 |b z:2",
    '1 |f 1:2 3\n-1 |f 2:0.5\r\n',
  ];

  test('libsvm text, 4,000 inputs', async () => {
    const outcome = await fuzz(
      4000,
      svm.map((text) => Buffer.from(text)),
      async (bytes) => {
        const open = () => [bytesSource(bytes, 'fuzz.svm')];
        const source = new TextSource({
          name: 'fuzz.svm',
          open,
          format: libsvmFormat(kernels),
          kernels,
          textBytes: 16 + random(200),
        });
        checkModel((await trainOnce(source, { kernels, passes: 2 })).model);
      },
    );
    expect(outcome.right).toBeGreaterThan(200);
    expect(outcome.refused).toBeGreaterThan(200);
  });

  test('libsvm text with bad lines set aside: every line is learned from, blank, or set aside', async () => {
    await fuzz(
      1500,
      svm.map((text) => Buffer.from(text)),
      async (bytes) => {
        let rejected = 0;
        let rows = 0;
        const open = () => [bytesSource(bytes, 'fuzz.svm')];
        const onReject = () => {
          rejected++;
        };
        const source = new TextSource({
          name: 'fuzz.svm',
          open,
          format: libsvmFormat(kernels),
          kernels,
          onReject,
          textBytes: 64,
        });
        for await (const batch of source.batches()) rows += batch.rows;
        const text = bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
        const lines = text.split('\n').filter((line) => /[^ \t\r]/.test(line) && !/^[ \t\r]*#/.test(line));
        expect(rows + rejected).toBe(lines.length);
      },
    );
  });

  test('text read by several threads, 150 inputs: every line is an example, refused, blank or a comment', async () => {
    await fuzz(
      150,
      svm.map((text) => Buffer.from(text.repeat(20))),
      async (bytes) => {
        const path = join(folder, 'fuzz-threads.svm');
        writeFileSync(path, bytes);
        const read = async (threads: number) => {
          const events: string[] = [];
          const source = new TextSource({
            name: 'fuzz.svm',
            async *open() {
              yield await openBytes(path, { name: 'fuzz.svm' });
            },
            format: libsvmFormat(kernels),
            kernels,
            onReject: ({ error }) => events.push(error.message),
            ahead: parseAhead(kernels, { threads, leastBytes: 1, rangeBytes: 1 + random(400) }),
          });
          try {
            for await (const batch of source.batches())
              for (let i = 0; i < batch.rows; i++) events.push(`${batch.labels[i]}`);
          } catch (error) {
            events.push((error as Error).message);
          }
          return events;
        };
        expect(await read(2 + random(3))).toEqual(await read(1));
      },
    );
  });

  test('Vowpal Wabbit text, 2,500 inputs', async () => {
    const outcome = await fuzz(
      2500,
      vw.map((text) => Buffer.from(text)),
      async (bytes) => {
        const format = vwFormat(kernels, random(2) === 0 ? {} : { bits: 1 + random(20) });
        const source = new TextSource({
          name: 'fuzz.vw',
          open: () => [bytesSource(bytes, 'fuzz.vw')],
          format,
          kernels,
        });
        checkModel((await trainOnce(source, { kernels, passes: 2 })).model);
      },
    );
    expect(outcome.right).toBeGreaterThan(100);
    expect(outcome.refused).toBeGreaterThan(100);
  });

  test('model files, 3,000 inputs', async () => {
    const open = () => [bytesSource(svm[0]!, 'fuzz.svm')];
    const source = new TextSource({ name: 'fuzz.svm', open, format: libsvmFormat(kernels), kernels });
    const original = encodeModel((await trainOnce(source, { kernels })).model);
    const outcome = await fuzz(3000, [Buffer.from(original)], (bytes) => {
      const model = decodeModel(bytes.toString('utf8'), 'fuzz.json');
      expect(encodeModel(model)).toBe(original);
    });
    expect(outcome.refused).toBeGreaterThan(2500);
  });

  test('archives, 500 inputs', async () => {
    const whole = Buffer.from(svm[0]!.repeat(200));
    const outcome = await fuzz(500, [gzipSync(whole)], async (bytes) => {
      const path = join(folder, 'fuzz.svm.gz');
      writeFileSync(path, bytes);
      const open = async function* () {
        yield await openBytes(path, { name: 'fuzz.svm.gz' });
      };
      const source = new TextSource({ name: 'fuzz.svm.gz', open, format: libsvmFormat(kernels), kernels });
      const { report } = await trainOnce(source, { kernels, passes: 1 });
      expect(report.examples).toBe(800);
    });
    expect(outcome.refused).toBeGreaterThan(300);
  });

  const tables: [Format, string][] = [
    ['csv', 'a,b,c,y\n1,x,2024-01-01,p\n2,"y, z",2024-02-01,q\n3,,?,p\n4.5,x,2024-03-01,q\n'],
    ['csv', '1,2,0\n3,4,1\r\n5,6,0\n-7,8e-1,1\n'],
    ['tsv', 'a\ty\nx "q\tp\ny\tq\nz\tp\n'],
    ['json', '[{"a": 1, "b": "x", "y": true}, {"a": null, "b": "z", "y": false}, {"a": 2.5, "y": true}]'],
    ['ndjson', '{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n{"a": 3, "y": "p"}\n'],
  ];
  test.each(tables)('%s tables, 250 inputs each', async (format, text) => {
    await fuzz(250, [Buffer.from(text)], async (bytes) => {
      const path = join(folder, `fuzz.${format}`);
      writeFileSync(path, bytes);
      const skip = random(3) === 0;
      const source = await openTable([{ path, name: `fuzz.${format}` }], {
        format,
        scale: 'standard',
        labelsNeeded: true,
        reject: skip ? () => {} : undefined,
      });
      checkModel((await trainOnce(source, { kernels, passes: 2 })).model);
    });
  });

  test('Parquet, 250 inputs', async () => {
    const path = join(root, 'node_modules/vega-datasets/data/flights-3m.parquet');
    const original = existsSync(path) ? readFileSync(path).subarray(0, 20_000) : Buffer.from('PAR1');
    const outcome = await fuzz(250, [original], async (bytes) => {
      const target = join(folder, 'fuzz.parquet');
      writeFileSync(target, bytes);
      await openTable([{ path: target, name: 'fuzz.parquet' }], {
        format: 'parquet',
        scale: 'none',
        labelsNeeded: true,
      });
    });
    expect(outcome.refused).toBe(250);
  });
});
