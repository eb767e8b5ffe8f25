import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { Random } from '../../src/random.ts';
import { bits } from '../rules/conformance.ts';
import { implementations } from '../support/kernels.ts';
import { numberText } from '../support/libsvm-text.ts';
import { bytesOf } from '../support/text.ts';

/** Returns the result of a kernel for each text as a value and as a label: a number, or the status of its refusal. */
function parsed(kernels: Kernels, texts: readonly string[]) {
  const values: number[] = [];
  const labels: number[] = [];
  const statuses: number[] = [];
  const report = kernels.float64(layout.reportSize);
  const blocks = {
    offsets: kernels.uint32(3),
    indices: kernels.uint32(4),
    values: kernels.float64(4),
    labels: kernels.float64(2),
    importance: kernels.float64(2),
  };
  for (const number of texts) {
    // Once in the middle of the text and once at its very end, without a line feed.
    const data = bytesOf(`${number} 1:2\n0 7:${number}`);
    const text = kernels.uint8(data.length + 64);
    text.array.fill(0x39).set(data);
    report.array.set([0, data.length, 1]);
    statuses.push(kernels.parseLibsvm(text, blocks, report));
    labels.push(blocks.labels.array[0]!);
    values.push(blocks.values.array[1]!);
    text.free();
  }
  for (const block of [report, ...Object.values(blocks)]) block.free();
  return { values: Float64Array.from(values), labels: Float64Array.from(labels), statuses };
}

const edges = [
  ...['0', '-0', '+0', '00', '0.0', '-0.0', '+1', '.5', '5.', '-.5', '-5.', '+.5e-3', '007', '0000000000000000000001'],
  ...['1e5', '1E5', '1e+05', '1e-05', '1.e2', '.1e2', '0e999999999', '0e-999999999', '1e-999999999', '0.0e400'],
  // Where one multiplication or division by a power of ten is exact, and just beyond.
  ...'1e22 1e23 1e-22 1e-23 9007199254740992 9007199254740993 9007199254740993e1 9007199254740992e22'.split(' '),
  ...[
    '9007199254740991e-22',
    '123456789012345678',
    '12345678901234567e-5',
    '99999999999999999999',
    '18446744073709551616',
  ],
  ...'18446744073709551615 18446744073709551617e-3 0.1 0.2 0.3 123456.7 8.41e21 9.5367431640625e-7'.split(' '),
  // The ends of the doubles.
  ...['1.7976931348623157e308', '1.7976931348623158e308', '-1.7976931348623157e308', '2.2250738585072014e-308'],
  ...[
    '2.2250738585072011e-308',
    '4.9406564584124654e-324',
    '4.9e-324',
    '2.4703282292062327e-324',
    '2.4703282292062328e-324',
  ],
  ...['1e-400', '1e-323', '6.631236871469758276785396630275967e-317'],
  // Halfway between two doubles, and one digit to either side of it.
  ...['1.00000000000000011102230246251565404', '1.00000000000000011102230246251565403'],
  ...['1.00000000000000011102230246251565405', '0.500000000000000166533453693773481063544750213623046875'],
  ...[
    '3.518437208883201171875e13',
    '62.5364939768271845828',
    '8.10109172351e-10',
    '1.50000000000000011102230246251565',
  ],
  ...[
    `0.${'0'.repeat(400)}1`,
    `1${'0'.repeat(300)}`,
    `${'9'.repeat(308)}`,
    `0.${'3'.repeat(500)}`,
    `${'0'.repeat(99)}7`,
  ],
  `0.${'0'.repeat(330)}${'9'.repeat(40)}e30`,
];

describe.each(implementations)('%s parser', (_, create) => {
  const kernels = create();
  const readsAs = (texts: readonly string[]) => {
    const { values, labels, statuses } = parsed(kernels, texts);
    const [value, label, expected] = [values, labels, Float64Array.from(texts, Number)].map(bits);
    const wrong = texts.filter(
      (_, i) => statuses[i] !== layout.statusDone || value![i] !== expected![i] || label![i] !== expected![i],
    );
    expect(wrong).toEqual([]);
  };

  it('reads numbers at every limit like Number(), to the bit', () => {
    readsAs(edges);
  });

  it('reads doubles of all sizes in every notation like Number()', () => {
    const random = new Random(7);
    const view = new DataView(new ArrayBuffer(8));
    const texts: string[] = [];
    for (let i = 0; i < 1000; i++) {
      view.setUint32(0, random.bits());
      view.setUint32(4, random.bits());
      const any = view.getFloat64(0);
      if (!Number.isFinite(any)) continue;
      // Every second double is as rare as 1e±200; these are sizes that data have.
      const usual = (random.uniform() - 0.5) * 10 ** (random.below(24) - 12);
      for (const x of [any, usual]) texts.push(String(x), x.toPrecision(17), x.toExponential(random.below(20)));
      texts.push(usual.toFixed(random.below(20)), usual.toPrecision(1 + random.below(21)));
      texts.push(`${random.below(1e9)}${random.below(1e9)}${random.below(1e9)}`.slice(0, 1 + random.below(27)));
    }
    expect(texts.length).toBeGreaterThan(8000);
    readsAs(texts);
  });

  it('reads digits of any shape like Number()', () => {
    forAll(200, fc.array(numberText, { minLength: 1, maxLength: 20 }), readsAs);
  });

  it('refuses what is not a number, also if Number() accepts it', () => {
    const texts = '. + - +. -.e1 e5 .e5 1e 1e+ 1E- 1.5e --1 +-1 1- 1+1 1.2.3'.split(' ');
    texts.push(
      '0x10',
      '0b1',
      '0o7',
      '1_000',
      '1,5',
      '1n',
      '1f',
      '1d',
      '٣',
      '１',
      '1e1.5',
      '1e 5',
      'true',
      'null',
      "'1'",
    );
    const { statuses } = parsed(kernels, texts);
    texts.forEach((text, i) => {
      expect(statuses[i]! >= layout.statusFirstFault && statuses[i] !== layout.statusNotFinite, text).toBe(true);
    });
  });

  it('refuses non-finite numbers, by name or by size, with their own status', () => {
    const texts = ['nan', 'NaN', 'NAN', '-nan', 'inf', '+inf', '-Inf', 'INF', 'Infinity', '-Infinity', 'nan(1)'];
    texts.push(
      '1e309',
      '-1e309',
      '1.7976931348623159e308',
      '1e999999999',
      `${'9'.repeat(400)}`,
      '1e99999999999999999999',
    );
    const { statuses } = parsed(kernels, texts);
    expect(statuses).toEqual(texts.map(() => layout.statusNotFinite));
  });
});
