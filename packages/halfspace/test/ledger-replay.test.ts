import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HalfspaceError } from '../src/errors.ts';
import { type Ledger, updateAt } from '../src/ledger/ledger.ts';
import { replay } from '../src/ledger/replay.ts';
import { encodeModel } from '../src/model/encode.ts';
import { decimal, examplesOf } from './support/examples.ts';
import { reference, wasm } from './support/kernels.ts';
import { inTwo, recorded, runOptions, severalSource } from './support/ledgers.ts';

const kernels = wasm();

/** Runs that cannot be: a class without examples to learn from, or options that do not go together. */
const refusable = async <T>(act: () => Promise<T>): Promise<T | null> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof HalfspaceError && ['label-classes', 'option-invalid'].includes(error.code)) return null;
    throw error;
  }
};

describe('a replay to the end', () => {
  it('gives the model of the run, byte for byte, on either kernels, whatever the rule, the order and the rest', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(
        examplesOf(decimal, { rows: 40 }).chain((data) =>
          fc.tuple(
            fc.constant(data),
            fc.option(fc.array(fc.constantFrom(0, 0.1, 0.7, 1, 3), { minLength: data.length, maxLength: data.length })),
            fc.constantFrom('dense' as const, 'sparse' as const),
          ),
        ),
        runOptions,
        async ([data, importance, layout], options) => {
          const source = () => inTwo(data, importance, layout);
          const run = await refusable(() => recorded(source(), { ...options, kernels }));
          if (run === null) return;
          ran++;
          const again = await replay(run.ledger, source(), { kernels });
          expect(encodeModel(again.model)).toBe(encodeModel(run.model));
          expect(again.report).toEqual(run.report);
          const plain = await recorded(source(), { ...options, kernels: reference() });
          expect(plain.bytes).toEqual(run.bytes);
          const plainly = await replay(run.ledger, source(), { kernels: reference() });
          expect(encodeModel(plainly.model)).toBe(encodeModel(run.model));
        },
      ),
      { numRuns: 300 },
    );
    expect(ran).toBeGreaterThan(150);
  });
});
