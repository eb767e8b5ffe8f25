import type { Certificate } from '../../src/certificate.ts';

/** Tells of each proof of a certificate if it proves its claim; null for one that is not there. */
export interface Claims {
  /** The line of the separator is right on all rows. */
  readonly line: boolean | null;
  /** It has the stated margin, or a larger one. */
  readonly margin: boolean | null;
  readonly first: boolean | null;
  readonly contradictions: boolean | null;
  /** The stated ceiling is above all margins; it may be higher than the proof shows. */
  readonly ceiling: boolean | null;
}

/** Rows of up to this many places become whole numbers. */
const scale = 20n ** 60n;

/** Decides claims about canonical rows by their definition, in whole numbers. Row numbers must be whole and differ. */
export function claimsOf({ separator, contradictions, ceiling }: Certificate, canonical: Uint8Array): Claims {
  const lines = new TextDecoder().decode(canonical).trimEnd().split('\n');
  const rows = lines.map((line) => {
    const [label, ...cells] = line.split(' ');
    const x = cells.map((cell): [number, bigint] => {
      const [, j, digits, base, places = '0'] = /^(\d+):(-?\d+)(?:([ep])-(\d+))?$/.exec(cell)!;
      return [Number(j), (BigInt(digits!) * scale) / (base === 'e' ? 10n : 2n) ** BigInt(places)];
    });
    return { y: BigInt(label!), x };
  });

  function isLine(weights: readonly bigint[], bias: bigint, [p, q]: readonly [bigint, bigint]) {
    const scores = rows.map(({ y, x }) => y * x.reduce((sum, [j, value]) => sum + weights[j]! * value, bias * scale));
    const norm = weights.reduce((sum, w) => sum + w * w, 0n);
    const line = norm > 0n && scores.every((score) => score > 0n);
    const isWide = scores.every((score) => p * norm * scale ** 2n <= q * score ** 2n);
    return { line, margin: line && p >= 0n && q > 0n && isWide };
  }

  /** The point in which weighted rows meet, or how far their means are apart; null for no convex combination. */
  function meeting({
    rows: numbers,
    weights,
  }: {
    readonly rows: readonly number[];
    readonly weights: readonly string[];
  }) {
    const parts = weights.map(BigInt);
    const named = numbers.flatMap((number) => rows[number - 1] ?? []);
    if (Math.min(named.length, new Set(numbers).size) < numbers.length || parts.some((part) => part < 0n)) return null;
    const sums = new Map<number, bigint>();
    let [signed, total] = [0n, 0n];
    named.forEach(({ y, x }, k) => {
      signed += y * parts[k]!;
      total += parts[k]!;
      for (const [j, value] of x) sums.set(j, (sums.get(j) ?? 0n) + y * parts[k]! * value);
    });
    return signed === 0n && total > 0n
      ? { squares: [...sums.values()].reduce((sum, s) => sum + s * s, 0n), total }
      : null;
  }

  const met = contradictions.map((each) => meeting(each)?.squares === 0n);
  const own =
    separator && isLine(separator.weights.map(BigInt), BigInt(separator.bias), fractionOf(separator.marginSquared));
  const apart = ceiling && meeting(ceiling);
  const [p, q] = fractionOf(ceiling?.marginSquared ?? '0');
  return {
    line: own?.line ?? null,
    margin: own?.margin ?? null,
    first: met[0] ?? null,
    contradictions: met.length === 0 ? null : met.every(Boolean),
    ceiling: ceiling && apart !== null && p >= 0n && q > 0n && apart.squares * q <= p * (apart.total * scale) ** 2n,
  };
}

function fractionOf(text: string): readonly [bigint, bigint] {
  const [a, b = '1'] = text.split('/') as [string, string?];
  return [BigInt(a), BigInt(b)];
}
