/** Fractions of whole numbers of any size, and square roots of them, compared without rounding. */
export class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  /** @param under above 0 after reduction. */
  constructor(over: bigint, under = 1n) {
    const divisor = greatestCommon(over, under) * (under < 0n ? -1n : 1n);
    this.over = over / divisor;
    this.under = under / divisor;
  }

  /** Reads a decimal as it is written: 1.02 is 51/50. */
  static of(value: number | string): Fraction {
    const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))!;
    return new Fraction(BigInt(`${sign}${whole}${decimals}`), 10n ** BigInt(decimals.length));
  }

  plus({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * under + over * this.under, this.under * under);
  }

  times({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * over, this.under * under);
  }

  by({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * under, this.under * over);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.times(minusOne));
  }

  get sign(): -1 | 0 | 1 {
    return this.over < 0n ? -1 : this.over > 0n ? 1 : 0;
  }

  /** The largest whole number that is not above. */
  get floor(): number {
    const quotient = this.over / this.under;
    return Number(this.over < 0n && quotient * this.under !== this.over ? quotient - 1n : quotient);
  }
}

const minusOne = new Fraction(-1n);

function greatestCommon(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** ±√|square|, with the sign of `square`. It grows with `square`, so roots are compared by their squares. */
export interface Root {
  readonly square: Fraction;
}

export type Exact = number | Fraction | Root;

export const root = (square: Fraction): Root => ({ square });

/** Returns the square, with the sign of the value. */
function signedSquare(value: Exact): Fraction {
  if (typeof value === 'number') return signedSquare(Fraction.of(value));
  if (!(value instanceof Fraction)) return value.square;
  const square = value.times(value);
  return value.sign < 0 ? square.times(minusOne) : square;
}

/** Returns the sign of a − b. */
export function compare(a: Exact, b: Exact): -1 | 0 | 1 {
  return signedSquare(a).minus(signedSquare(b)).sign;
}

/** Tests if a written decimal is the value, rounded to the decimal's last digit. */
export function isRounded(value: Exact, decimal: string): boolean {
  const written = Fraction.of(decimal);
  const places = decimal.split('.')[1]?.length ?? 0;
  const half = new Fraction(1n, 2n * 10n ** BigInt(places));
  return compare(value, written.minus(half)) >= 0 && compare(value, written.plus(half)) <= 0;
}
