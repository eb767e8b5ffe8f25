import { describe, expect, it, test } from 'vitest';
import { bytesSource } from '../../src/data/in-memory.ts';
import { libsvm } from '../../src/data/text-sources.ts';
import { explainScore, explainWeight, forget, replay } from '../../src/face/ledger.ts';
import { findMaximumMargin } from '../../src/face/margins.ts';
import { encodeModel } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { heldOutExamples } from '../../src/ledger/ledger.ts';
import { readLedger } from '../../src/ledger/reader.ts';
import { LedgerWriter } from '../../src/ledger/writer.ts';
import { train } from '../../src/select/train.ts';
import { csv } from '../../src/table/csv.ts';
import { rows } from '../../src/table/rows.ts';
import type { LedgerClosing, LedgerOpening } from '../../src/train/ledger-sink.ts';

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
