import { describe, expect, it, vi } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import {
  bags,
  compareRules,
  csv,
  decodeModel,
  encodeModel,
  evaluate,
  libsvm,
  ndjson,
  OnlineClassifier,
  rows,
  type Source,
  type TextInput,
  train,
} from '../../src/index.ts';

/** Text of a row of each format. */
const lines = {
  csv: (k: number) => `${k % 7},${k % 5},${k % 7 > 3 ? 'a' : 'b'}\n`,
  ndjson: (k: number) => `{"x":${k % 7},"z":${k % 5},"label":"${k % 7 > 3 ? 'a' : 'b'}"}\n`,
  libsvm: (k: number) => `${k % 7 > 3 ? 1 : -1} 1:${k % 7} 2:${k % 5}\n`,
};
const header = 'x,z,label\n';
const row = (k: number) => ({ x: k % 7, z: k % 5, label: k % 7 > 3 ? 'a' : 'b' });

/** The way in which items come that never end: as fast as they are taken, or none any more after a few. */
type Way = 'endless' | 'stalled';

interface Given {
  readonly source: Source;
  /** True if the items were told that no more are wanted. */
  readonly ended: () => boolean;
}

const text = (format: keyof typeof lines, k: number) =>
  (k === 0 && format === 'csv' ? header : '') + Array.from({ length: 100 }, (_, i) => lines[format](k + i)).join('');
const never = () => new Promise<never>(() => {});
/** Called with each item: a generator that never began has nothing to end. */
let onItem = () => {};

/** Items of a generator. One that waits itself cannot be ended by anybody, so that is not asked of it. */
function generated<T>(way: Way, item: (k: number) => T) {
  let ended = false;
  async function* items(): AsyncGenerator<T> {
    try {
      for (let k = 0; way === 'endless' || k < 3; k++) {
        onItem();
        yield item(100 * k);
      }
      await never();
    } finally {
      ended = true;
    }
  }
  return { items: items(), ended: () => ended || way === 'stalled' };
}

function streamed(way: Way, format: keyof typeof lines): { items: ReadableStream<Uint8Array>; ended: () => boolean } {
  let [k, ended] = [0, false];
  const items = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (way === 'stalled' && k === 3) return never();
      onItem();
      controller.enqueue(new TextEncoder().encode(text(format, 100 * k++)));
    },
    cancel() {
      ended = true;
    },
  });
  return { items, ended: () => ended };
}

function synchronous<T>(item: (k: number) => T) {
  let ended = false;
  function* items(): Generator<T> {
    try {
      for (let k = 0; ; k++) {
        onItem();
        yield item(100 * k);
      }
    } finally {
      ended = true;
    }
  }
  return { items: items(), ended: () => ended };
}

const readers: Readonly<Record<keyof typeof lines, (input: TextInput) => Source>> = { csv, ndjson, libsvm };
const sources: Readonly<Record<string, (way: Way) => Given>> = Object.fromEntries([
  ...(Object.keys(readers) as (keyof typeof readers)[]).flatMap((format) => [
    [
      `${format} of a generator`,
      (way: Way) => {
        const { items, ended } = generated(way, (k) => text(format, k));
        return { source: readers[format](items), ended };
      },
    ],
    [
      `${format} of a stream`,
      (way: Way) => {
        const { items, ended } = streamed(way, format);
        return { source: readers[format](items), ended };
      },
    ],
  ]),
  [
    'rows of a generator',
    (way: Way) => {
      const { items, ended } = generated(way, row);
      return { source: rows(items), ended };
    },
  ],
  [
    'rows that never wait',
    () => {
      const { items, ended } = synchronous(row);
      return { source: rows(items), ended };
    },
  ],
  [
    'bags',
    (way: Way) => {
      const { items, ended } = generated(way, row);
      return { source: bags(items), ended };
    },
  ],
]);

const { model } = await train(rows(Array.from({ length: 50 }, (_, k) => row(k))), { rule: 'averaged' });
const numbers = (
  await train(libsvm(Array.from({ length: 50 }, (_, k) => lines.libsvm(k)).join('')), { rule: 'averaged' })
).model;
const bagged = (await train(bags(Array.from({ length: 50 }, (_, k) => row(k))), { rule: 'averaged' })).model;
const calls: Readonly<Record<string, (name: string, source: Source, signal: AbortSignal) => Promise<unknown>>> = {
  train: (_, source, signal) => train(source, { rule: 'averaged', signal }),
  'train with a search': (_, source, signal) => train(source, { signal }),
  compareRules: (_, source, signal) => compareRules(source, { signal }),
  evaluate: (name, source, signal) =>
    evaluate(name.startsWith('libsvm') ? numbers : name === 'bags' ? bagged : model, source, { signal }),
  learnFrom: (_, source, signal) => new OnlineClassifier({ label: 'label' }).learnFrom(source, { signal }),
};

const cases = Object.keys(sources).flatMap((name) =>
  (['endless', 'stalled'] as const).map((way) => [way, name] as const),
);

describe.each(Object.keys(calls))('%s', (call) => {
  it.each(some(cases, 3))('ends %s %s when the signal asks for it', async (way, name) => {
    const { source, ended } = sources[name]!(way);
    const controller = new AbortController();
    onItem = () => {
      onItem = () => {};
      setTimeout(() => controller.abort(), 10);
    };
    await expect(calls[call]!(name, source, controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
    await vi.waitFor(() => expect(ended()).toBe(true));
  });

  it('does not begin after the signal', async () => {
    for (const name of ['csv of a generator', 'rows of a generator']) {
      const { source } = sources[name]!('endless');
      await expect(calls[call]!(name, source, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
    }
  });
});

it('a signal that never asks changes no bit, in pieces of any size', async () => {
  const data = header + Array.from({ length: 300 }, (_, k) => lines.csv(k)).join('');
  const { signal } = new AbortController();
  async function* pieces() {
    for (let at = 0; at < data.length; at += 37) yield data.slice(at, at + 37);
  }
  const [plain, watched, cut] = await Promise.all([
    train(csv(data), { rule: 'averaged' }),
    train(csv(data), { rule: 'averaged', signal }),
    train(csv(pieces(), { name: 'text' }), { rule: 'averaged', signal }),
  ]);
  expect(encodeModel(watched.model)).toBe(encodeModel(plain.model));
  expect(encodeModel(cut.model)).toBe(encodeModel(plain.model));
  expect(decodeModel(encodeModel(plain.model)).rule).toBe('averaged');
});
