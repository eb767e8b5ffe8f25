import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import { bytesSource } from '../../src/data/in-memory.ts';
import { libsvm } from '../../src/data/text-sources.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { explainScore, explainWeight, forget } from '../../src/face/ledger.ts';
import { findMaximumMargin } from '../../src/face/margins.ts';
import { encodeModel } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { splitContent } from '../../src/ledger/content-digest.ts';
import { blockUpdates, ledgerMagic } from '../../src/ledger/format.ts';
import { gzip } from '../../src/ledger/gzip.ts';
import { heldOutExamples } from '../../src/ledger/ledger.ts';
import { readLedger } from '../../src/ledger/reader.ts';
import { replay } from '../../src/ledger/replay.ts';
import { decodeUpdates, encodeUpdates } from '../../src/ledger/update-block.ts';
import { Updates } from '../../src/ledger/updates.ts';
import { LedgerWriter } from '../../src/ledger/writer.ts';
import { Random } from '../../src/random.ts';
import { train } from '../../src/select/train.ts';
import { csv } from '../../src/table/csv.ts';
import { rows } from '../../src/table/rows.ts';
import type { LedgerClosing, LedgerOpening } from '../../src/train/ledger-sink.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';
import { wasm } from '../support/kernels.ts';
import { inTwo, memoryTarget, read, recorded } from '../support/ledgers.ts';
import { inPieces } from '../support/text.ts';

const kernels = wasm();

const contents = ({ count, positions, rows, raised, lowered, leads, passes }: Updates) => ({
  positions: [...positions.subarray(0, count)],
  rows: [...rows.subarray(0, count)],
  raised: [...raised.subarray(0, count)],
  lowered: [...lowered.subarray(0, count)],
  leads: [...leads.subarray(0, count)],
  passes,
});

const classPair = fc.oneof(
  fc.constantFrom([0, 1], [1, 0]),
  fc.tuple(fc.integer({ min: -1, max: 999 }), fc.integer({ min: -1, max: 999 })).filter(([a, b]) => a !== b),
);

/** Updates of passes; in most of them rows rise and classes are two, as in most runs. */
const someUpdates = fc
  .record({
    gaps: fc.array(fc.oneof(fc.nat(5), fc.nat(100_000)), { maxLength: 60 }),
    rows: fc.array(fc.integer({ min: 0, max: 0xffff_fffe }), { minLength: 60, maxLength: 60 }),
    rising: fc.boolean(),
    pairs: fc.oneof(
      fc.array(fc.constantFrom([0, 1], [1, 0]), { minLength: 60, maxLength: 60 }),
      fc.array(
        fc.nat(20).chain((k) => fc.constantFrom([k, -1], [-1, k])),
        { minLength: 60, maxLength: 60 },
      ),
      fc.array(classPair, { minLength: 60, maxLength: 60 }),
    ),
    leads: fc.array(fc.nat(0xffff), { minLength: 60, maxLength: 60 }),
    ends: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
    endsAgain: fc.boolean(),
  })
  .map(({ gaps, rows, rising, pairs, leads, ends, endsAgain }) => {
    const updates = new Updates();
    let position = 0;
    gaps.forEach((gap, at) => {
      position += gap;
      const [raised, lowered] = pairs[at]!;
      updates.push(position, rising ? position + 3 : rows[at]!, raised!, lowered!, leads[at]!);
      if (!ends[at]) return;
      updates.passes.push({ updates: updates.count, shown: position + 1 + (gap % 7) });
      if (endsAgain) updates.passes.push({ updates: updates.count, shown: gap });
      position = 0;
    });
    return updates;
  });

describe('a block of updates', () => {
  it('is read back as written', () => {
    forAll(500, someUpdates, (updates) => {
      expect(contents(decodeUpdates(encodeUpdates(updates)))).toEqual(contents(updates));
    });
  });

  it('is refused for any invalid bytes', () => {
    const refused = (bytes: Uint8Array) => {
      try {
        decodeUpdates(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(HalfspaceError);
        expect((error as HalfspaceError).code).toBe('ledger-invalid');
      }
    };
    forAll(1000, fc.uint8Array({ maxLength: 80 }), refused);
    forAll(1000, someUpdates, fc.nat(), fc.nat(255), (updates, at, byte) => {
      const bytes = encodeUpdates(updates);
      bytes[at % bytes.length] = byte;
      refused(bytes);
      refused(bytes.subarray(0, at % bytes.length));
    });
  });
});

interface Block {
  readonly kind: number;
  readonly contents: Uint8Array;
}

function blocksOf(bytes: Uint8Array): Block[] {
  const blocks: Block[] = [];
  for (let at = ledgerMagic.length; at < bytes.length; ) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + 1, true);
    blocks.push({ kind: bytes[at]!, contents: bytes.subarray(at + 5, at + 5 + length) });
    at += 5 + length;
  }
  return blocks;
}

function fileOf(blocks: readonly Block[]): Uint8Array {
  const parts = blocks.map(({ kind, contents }) => {
    const head = new Uint8Array(5);
    head[0] = kind;
    new DataView(head.buffer).setUint32(1, contents.length, true);
    return Buffer.concat([head, contents]);
  });
  return new Uint8Array(Buffer.concat([Buffer.from(ledgerMagic), ...parts]));
}

const random = new Random(4);
const noisy = Array.from({ length: 400 }, (): Example => {
  const x = Array.from({ length: 3 }, () => Math.round((random.uniform() - 0.5) * 1000) / 100);
  return { x, y: x[0]! - x[2]! + 4 * (random.uniform() - 0.5) > 0 ? 1 : -1 };
});

describe('a ledger file', () => {
  it('that is cut is refused with the place, or read up to its last complete block on request', async () => {
    const { bytes, ledger } = await recorded(inTwo(noisy), { rule: 'perceptron', passes: 3, kernels });
    const kept = new Set<number>();
    for (let length = 0; length < bytes.length; length += isDeep ? 1 : 5) {
      const cut = bytes.subarray(0, length);
      const refusal = await read(cut).catch((error) => error);
      expect(refusal).toBeInstanceOf(HalfspaceError);
      expect(refusal.message, `${length} bytes`).toMatch(
        /^run\.ledger, byte \d+: expected (a whole ledger; got one that is cut short|a ledger; got another file)$/,
      );
      const part = await read(cut, { partial: true }).catch(() => null);
      if (part === null) continue;
      expect(part.closing).toBeNull();
      expect(part.fault).toBeInstanceOf(HalfspaceError);
      kept.add(part.updates.count);
    }
    // Before its one block of updates is whole there are none.
    expect(kept).toEqual(new Set([0, ledger.updates.count]));
    const whole = await read(bytes);
    expect(whole.fault).toBeNull();
  });

  it('with a damaged last block is read up to that block on request', async () => {
    const { bytes, ledger } = await recorded(inTwo(noisy), { rule: 'perceptron', passes: 3, kernels });
    const damaged = bytes.slice();
    damaged[bytes.length - 20]! ^= 0xff;
    await expect(read(damaged)).rejects.toThrow(/^run\.ledger, byte \d+: expected gzip data; got damaged bytes$/);
    const part = await read(damaged, { partial: true });
    expect(contents(part.updates)).toEqual(contents(ledger.updates));
    expect(part.closing).toBeNull();
  });

  it('with one changed byte is refused, or reads the same', async () => {
    const { bytes, ledger } = await recorded(inTwo(noisy), { rule: 'averaged', passes: 2, kernels });
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at]! ^= 1 << (at % 8);
      const got = await read(changed).catch((error) => error);
      if (got instanceof Error) {
        expect((got as HalfspaceError).code).toBe('ledger-invalid');
        refused++;
      } else
        expect({ ...got, updates: contents(got.updates) }).toEqual({ ...ledger, updates: contents(ledger.updates) });
    }
    // What gzip's header says of times and systems is nobody's concern.
    expect(refused).toBeGreaterThan(0.9 * bytes.length);
  });

  it('with one changed bit in the contents of a block, compressed again, is refused', async () => {
    const { bytes } = await recorded(inTwo(noisy.slice(0, 40)), { rule: 'averaged', passes: 2, kernels });
    const random = new Random(7);
    for (const [k, block] of blocksOf(bytes).entries())
      for (let turn = 0; turn < 60; turn++) {
        const plain = new Uint8Array(gunzipSync(block.contents));
        plain[random.below(plain.length)]! ^= 1 << random.below(8);
        const blocks = blocksOf(bytes).map((each, at) => (at === k ? { ...each, contents: gzip(plain) } : each));
        await expect(read(fileOf(blocks))).rejects.toThrow(/^run\.ledger, byte \d+: /);
      }
  });

  it('without a digest of its contents is refused', async () => {
    const { bytes } = await recorded(inTwo(noisy.slice(0, 40)), { rule: 'perceptron', kernels });
    const blocks = blocksOf(bytes);
    const closing = blocks.at(-1)!;
    const { json } = splitContent(gunzipSync(closing.contents).toString());
    const without = fileOf([...blocks.slice(0, -1), { ...closing, contents: gzip(Buffer.from(json)) }]);
    await expect(read(without)).rejects.toThrow('expected the contents that were written; got others');
  });

  it('may arrive in pieces of any size', async () => {
    const { bytes, ledger } = await recorded(inTwo(noisy), { rule: 'perceptron', kernels });
    for (const sizes of [[1], [7, 100, 3], [65536]]) {
      const again = await readLedger(inPieces(bytes, sizes, 'run.ledger'));
      expect(contents(again.updates)).toEqual(contents(ledger.updates));
      expect(again.closing).toEqual(ledger.closing);
    }
  });

  it('of a newer version, or another file, is refused', async () => {
    await expect(readLedger(bytesSource('halfspace-ledger 2\n....'))).rejects.toThrow(
      'text, byte 0: expected a ledger of version 1; got "2": use the halfspace that wrote it',
    );
    await expect(readLedger(bytesSource('label,x\n1,2\n1,3\n2,4\n2,5\n'))).rejects.toThrow(
      'text, byte 0: expected a ledger; got another file',
    );
  });

  it('with impossible settings is refused', async () => {
    const opening = { as: null, variant: { rule: 'sgd' }, ruleOptions: {}, holdout: 0, seed: 1, positive: null };
    const packed = await gzip(new TextEncoder().encode(JSON.stringify(opening)));
    const head = new Uint8Array(5);
    head[0] = 0x48;
    new DataView(head.buffer).setUint32(1, packed.length, true);
    const file = Buffer.concat([Buffer.from(ledgerMagic), head, packed]);
    await expect(readLedger(bytesSource(new Uint8Array(file)))).rejects.toThrow(
      /^text, byte 19: a ledger is for the rules averaged, .*; got the rule sgd$/,
    );
  });

  it('with more updates than a block holds is written during the run, and can be replayed up to an interruption', async () => {
    const target = memoryTarget();
    const many = Array.from({ length: 90_000 }, (_, i): Example => ({ x: [1, (i % 7) / 8], y: i % 2 === 0 ? 1 : -1 }));
    const abort = new AbortController();
    const options = { rule: 'perceptron', kernels } as const;
    await expect(
      trainOnce(inTwo(many), {
        ...options,
        passes: 3,
        ledger: new LedgerWriter(target),
        signal: abort.signal,
        onProgress: ({ pass }) => pass === 2 && abort.abort(),
      }),
    ).rejects.toThrow('stopped in pass 2');
    const part = await read(target.bytes(), { partial: true });
    expect(part.updates.count).toBe(blockUpdates);
    const { model, report } = await replay(part, inTwo(many), { kernels });
    const whole = await recorded(inTwo(many), { ...options, passes: 3 });
    const same = await replay(whole.ledger, inTwo(many), { step: blockUpdates, kernels });
    expect(report.updates).toBe(blockUpdates);
    const { progressiveAccuracy: _, ...rest } = model.training;
    expect({ ...model, training: rest }).toEqual({ ...same.model, training: rest });
  });

  it('records one run only', async () => {
    const ledger = new LedgerWriter(memoryTarget());
    await trainOnce(inTwo(noisy), { rule: 'perceptron', kernels, ledger });
    await expect(trainOnce(inTwo(noisy), { rule: 'perceptron', kernels, ledger })).rejects.toThrow(
      'expected a new ledger for every run; got one that already holds a run',
    );
  });
});

const objects = Array.from({ length: 40 }, (_, i) => ({
  width: i % 7,
  height: (i * 5) % 11,
  kind: ['cat', 'dog', 'emu'][i % 3]!,
  class: i % 7 > 2 + (i % 3) ? 'large' : 'small',
}));
const lines = objects.map((row) => Object.values(row).join());
const sources = {
  rows: () => rows(objects, { label: 'class' }),
  csv: () => csv(['width,height,kind,class', ...lines].join('\n'), { label: 'class' }),
  libsvm: () =>
    libsvm(objects.map((row) => `${row.class === 'large' ? 1 : -1} 1:${row.width} 2:${row.height}\n`).join('')),
};

test.each(Object.entries(sources))('a ledger is repeated and explained from the source %s', async (_, source) => {
  const parts: Uint8Array[] = [];
  const target = { append: (bytes: Uint8Array) => void parts.push(bytes) };
  const options = { rule: 'perceptron', order: 'cyclic', passes: 5, holdout: 0.2 } as const;
  const { model } = await train(source(), { ...options, ledger: new LedgerWriter(target) });
  const ledger = await readLedger(bytesSource(Buffer.concat(parts), 'ledger'));

  expect(encodeModel((await replay(ledger, source())).model)).toBe(encodeModel(model));
  const examples = await source().open({
    kernels: createKernels(),
    encoding: ledger.closing!.features,
    classes: ledger.closing!.classes,
  });
  expect(await explainWeight(ledger, source(), 0)).toEqual(await explainWeight(ledger, examples, 0));
  expect(await explainScore(ledger, source(), 3)).toEqual(await explainScore(ledger, examples, 3));
  const forgot = await forget(ledger, source(), 3);
  expect(encodeModel(forgot.model)).toBe(encodeModel((await forget(ledger, examples, 3)).model));
  expect(forgot.report.examples).toBeLessThan(objects.length);
});

test('the largest margin is found in a source', async () => {
  const { lower, upper, classes } = await findMaximumMargin(
    rows(
      [
        { x: 1, y: 'a' },
        { x: 5, y: 'b' },
      ],
      { scale: 'none' },
    ),
  );
  expect(classes).toEqual(['a', 'b']);
  expect(lower).toBeCloseTo(2, 12);
  expect(upper).toBeCloseTo(2, 12);
});

describe('the held-out rows of a ledger', () => {
  it('are those that it lists, without rows of importance 0', () => {
    const opening = { holdout: 0.3, seed: 5 } as LedgerOpening;
    const closing = { rows: 12, leftOut: [1, 6] } as unknown as LedgerClosing;
    expect(heldOutExamples({ opening, closing: { ...closing, heldOut: [0, 2, 7, 11] } })).toEqual([0, 1, 5, 9]);
    expect(heldOutExamples({ opening, closing: null })).toBeNull();
    expect(heldOutExamples({ opening: { ...opening, holdout: 0 }, closing })).toEqual([]);
  });
});
