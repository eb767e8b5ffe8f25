import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { certify } from '../src/certify.ts';
import { canonicalRows, examplesOf } from '../src/rows.ts';
import { viprPieces } from '../src/vipr.ts';
import { labelled } from './support/examples.ts';

type Fraction = readonly [bigint, bigint];

function parsed(text: string): Fraction {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return [BigInt(a), BigInt(b)];
}

const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const product = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const isLeast1 = ([a, b]: Fraction) => a >= b;

/** Pairs of an index and a value, behind their number. */
function pairs(words: readonly string[]): Map<number, Fraction> {
  const [count, ...rest] = words;
  expect(rest).toHaveLength(2 * Number(count));
  return new Map(rest.filter((_, k) => k % 2 === 0).map((j, k) => [Number(j), parsed(rest[2 * k + 1]!)]));
}

const dot = (a: ReadonlyMap<number, Fraction>, b: ReadonlyMap<number, Fraction>) =>
  [...a].reduce<Fraction>((sum, [j, value]) => plus(sum, product(value, b.get(j) ?? [0n, 1n])), [0n, 1n]);

/** A decimal or a double as a fraction. */
function exactly(value: number, written: boolean): Fraction {
  if (written) return [BigInt(Math.round(value * 10)), 10n];
  let [whole, scale] = [value, 1n];
  for (; !Number.isInteger(whole); scale *= 2n) whole *= 2;
  return [BigInt(whole), scale];
}

test('the programme is that of the rows, and its solution or derivation is right, in fractions', async () => {
  const verdicts = new Set<string>();
  const tenths = fc.integer({ min: -30, max: 30 }).map((each) => each / 10);
  await forAllAsync(100, labelled(tenths, 9), fc.boolean(), async ({ rows, labels }, written) => {
    const examples = examplesOf(rows, labels, ['-1', '1'], written ? 'written' : 'doubles');
    const certificate = await certify(examples, { classes: ['-1', '1'] });
    verdicts.add(certificate.verdict);
    const text = [...viprPieces(certificate, canonicalRows(examples))].join('');
    const lines = text.trimEnd().split('\n');
    expect(lines[1]).toBe('VER 1.0');
    const dimension = rows[0]!.length;
    expect(lines.slice(2, 8)).toEqual([
      `VAR ${dimension + 1}`,
      [...rows[0]!.map((_, j) => `w${j}`), 'b'].join(' '),
      'INT 0',
      'OBJ min',
      '0',
      `CON ${rows.length} 0`,
    ]);
    const constraints = lines.slice(8, 8 + rows.length).map((line, i) => {
      const [name, sense, least, ...rest] = line.split(' ');
      expect([name, sense, least]).toEqual([`C${i + 1}`, 'G', '1']);
      return pairs(rest);
    });
    constraints.forEach((constraint, i) => {
      const expected = [...rows[i]!.map((x) => exactly(x, written)), [1n, 1n] as const].map((each) =>
        product(each, [BigInt(labels[i]!), 1n]),
      );
      expected.forEach(([a, b], j) => {
        const [c, d] = constraint.get(j) ?? [0n, 1n];
        expect(a * d).toBe(c * b);
      });
    });
    const end = lines.slice(8 + rows.length);
    if (certificate.verdict === 'separable') {
      expect([end[0], end[1], end[3]]).toEqual(['RTP range -inf 0', 'SOL 1', 'DER 0']);
      const solution = pairs(end[2]!.split(' ').slice(1));
      for (const constraint of constraints) expect(isLeast1(dot(constraint, solution))).toBe(true);
    } else {
      expect(end.slice(0, 3)).toEqual(['RTP infeas', 'SOL 0', 'DER 1']);
      const [, least, list] = /^D1 G (\d+) 0 \{ lin (.*) \} -1$/.exec(end[3]!)!;
      const multipliers = pairs(list!.split(' '));
      expect([...multipliers.values()].every(([a]) => a > 0n)).toBe(true);
      expect([...multipliers.values()].reduce((sum, [a]) => sum + a, 0n)).toBe(BigInt(least!));
      for (let j = 0; j <= dimension; j++) {
        const column = new Map(constraints.map((each, i) => [i, each.get(j) ?? ([0n, 1n] as const)]));
        expect(dot(multipliers, column)[0]).toBe(0n);
      }
    }
  });
  expect(verdicts.size).toBe(2);
});

test('an open verdict has no such certificate', async () => {
  const examples = examplesOf([[0], [1]], [-1, 1]);
  const certificate = await certify(examples, { classes: ['-1', '1'], signal: AbortSignal.abort() });
  const open = { ...certificate, separator: null };
  expect(() => [...viprPieces(open, canonicalRows(examples))]).toThrow('got the verdict unknown, or an interior');
});
