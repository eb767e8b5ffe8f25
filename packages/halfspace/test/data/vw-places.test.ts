import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { bytesSource } from '../../src/data/in-memory.ts';
import type { ByteSource } from '../../src/data/source.ts';
import { type RejectedLine, TextSource } from '../../src/data/text.ts';
import { type VwOptions, vwFormat } from '../../src/data/text-format.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { implementations, wasm } from '../support/kernels.ts';
import { inPieces } from '../support/text.ts';
import { damagedVw } from '../support/vw-text.ts';

/** Many lines are longer than this, and so are the values of some. */
const tinyBuffers = { textBytes: 16, batchRows: 2, batchValues: 3 };

interface Buffers {
  readonly textBytes?: number;
  readonly batchRows?: number;
  readonly batchValues?: number;
}

/** All faults of a reading: the skipped lines with their places, and the error that ended it. */
async function faultsOf(kernels: Kernels, source: ByteSource, skip: boolean, vw: VwOptions, buffers: Buffers = {}) {
  const told: string[] = [];
  const onReject = ({ error, line }: RejectedLine) => {
    told.push(`${error.message} ${JSON.stringify(error.where)} [${Buffer.from(line).toString('latin1')}]`);
  };
  const text = new TextSource({
    name: 'data',
    format: vwFormat(kernels, vw),
    kernels,
    open: () => [source],
    onReject: skip ? onReject : undefined,
    ...buffers,
  });
  let rows = 0;
  try {
    for await (const batch of text.batches()) rows += batch.rows;
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    told.push(`${error.code} ${error.message} ${JSON.stringify(error.where)}`);
  }
  return [...told, `${rows} rows`];
}

const formats: VwOptions[] = [{}, { bits: 4 }, { bits: 20 }, { known: { kind: 'named', names: ['a', 'b', 'x^c'] } }];

describe('a colon too many in Vowpal Wabbit text', () => {
  test.each([
    ['time:12:30', 13],
    ['http://x.org', 11],
    ['a:b', 8],
    ['10:30:00', 11],
    [':a', 7],
  ])('is said, with the whole word and its place: %s', async (word, column) => {
    const [fault] = await faultsOf(wasm(), bytesSource(`1 |f ${word} c\n`, 'data.vw'), false, {});
    expect(fault).toContain(
      `data.vw:1:${column}, byte ${column - 1}: expected a feature name:value, whose name cannot contain ":"`,
    );
    expect(fault).toContain(`got "${word}"`);
  });

  test('is said of a namespace, too', async () => {
    const [fault] = await faultsOf(wasm(), bytesSource('1 |at:12:30 c\n', 'data.vw'), false, {});
    expect(fault).toContain('whose name cannot contain ":" and whose value is a number; got "at:12:30"');
  });
});

describe('the place of a fault in Vowpal Wabbit text', () => {
  test.each(implementations)('is the same for all pieces and buffers: %s', async (_, create) => {
    const kernels = create();
    await forAllAsync(
      2000,
      damagedVw,
      fc.boolean(),
      fc.constantFrom(...formats),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
      async (text, skip, vw, sizes) => {
        const whole = await faultsOf(kernels, bytesSource(text, 'data.vw'), skip, vw);
        expect(await faultsOf(kernels, inPieces(text, sizes, 'data.vw'), skip, vw)).toEqual(whole);
        expect(await faultsOf(kernels, inPieces(text, sizes, 'data.vw'), skip, vw, tinyBuffers)).toEqual(whole);
      },
    );
  });

  test('is the same for both kernels', async () => {
    const [one, other] = implementations.map(([, create]) => create()) as [Kernels, Kernels];
    await forAllAsync(2000, damagedVw, fc.boolean(), fc.constantFrom(...formats), async (text, skip, vw) => {
      const expected = await faultsOf(one, bytesSource(text, 'data.vw'), skip, vw);
      expect(await faultsOf(other, bytesSource(text, 'data.vw'), skip, vw)).toEqual(expected);
    });
  });
});
