import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { evenSplit, holds, parseThreshold, thresholdClasses } from '../../src/features/label-threshold.ts';
import { chooseClasses, classNames, labelNumber, quantityNote } from '../../src/features/table-label.ts';

const counted = (values: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

describe('a threshold', () => {
  it('divides numbers as JavaScript compares them', () => {
    const compare = {
      '>=': (x: number, t: number) => x >= t,
      '>': (x: number, t: number) => x > t,
      '<=': (x: number, t: number) => x <= t,
      '<': (x: number, t: number) => x < t,
    };
    const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    forAll(fc.constantFrom(...(['>=', '>', '<=', '<'] as const)), number, fc.array(number), (operator, t, more) => {
      const value = t + 0;
      const numbers = [...more, value, value - 1, value + 1];
      const threshold = parseThreshold(` ${operator}${value}`)!;
      expect(threshold).toEqual({ operator, value });
      const { positive, negative } = thresholdClasses(threshold);
      const both = new Set(numbers.map((x) => compare[operator](x, value)));
      if (both.size < 2) return;
      const label = chooseClasses('y', counted(numbers.map(String)), positive);
      expect(classNames(label)).toEqual([negative, positive]);
      for (const x of numbers) {
        expect(holds(threshold, x)).toBe(compare[operator](x, value));
        expect(labelNumber(label, String(x))).toBe(compare[operator](x, value) ? 1 : -1);
        expect(holds(parseThreshold(negative)!, x)).toBe(!holds(threshold, x));
      }
      expect([positive, negative].map((name) => labelNumber(label, name))).toEqual([1, -1]);
    });
  });

  it('is no threshold if it names a class, or has no number', () => {
    expect(chooseClasses('y', counted(['>= 20', '< 20']), '>= 20')).toMatchObject({ positive: '>= 20' });
    expect(chooseClasses('y', counted(['>= 20', '< 20']), '>= 20').threshold).toBeUndefined();
    for (const text of ['20', '>=', '>= x', '=> 20', '>= inf', '']) expect(parseThreshold(text)).toBeNull();
  });

  it('is refused for words, and with all numbers on one side', () => {
    expect(() => chooseClasses('y', counted(['1', 'b']), '>= 1')).toThrow(
      'column "y": expected the positive class >= 1 to compare numbers; got "b" among the labels',
    );
    expect(() => chooseClasses('y', counted(['1', '2']), '> 2')).toThrow(
      'column "y": expected numbers on both sides of > 2; got numbers from 1 to 2',
    );
  });
});

describe('labels that are quantities', () => {
  it('are refused with the threshold that splits the rows most evenly', () => {
    const values = Array.from({ length: 40 }, (_, i) => `${i}.5`);
    expect(() => chooseClasses('y', counted(values))).toThrow(
      'to predict a quantity is regression; positive: ">= 20.5" makes two classes of it (--positive \'>= 20.5\' of the command)',
    );
    expect(
      evenSplit([
        [0, 90],
        [1, 5],
        [2, 5],
      ]),
    ).toBe('>= 1');
    expect(
      evenSplit([
        [0, 5],
        [1, 5],
        [2, 90],
      ]),
    ).toBe('>= 2');
  });

  it('are noted if they are many whole numbers with few rows each', () => {
    const codes = (classes: number, rows: number) =>
      counted(Array.from({ length: classes * rows }, (_, i) => `${i % classes}`));
    const note = (counts: Map<string, number>) => quantityNote(chooseClasses('y', counts), counts);
    expect(note(codes(30, 2))).toBe(
      'column y has 30 numbers in 60 rows, each taken for a class; if they are quantities, to predict a quantity is regression; positive: ">= 15" makes two classes of it (--positive \'>= 15\' of the command)',
    );
    expect([note(codes(100, 5)), note(codes(20, 1))]).toEqual([null, null]);
  });
});
