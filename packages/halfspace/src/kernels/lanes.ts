/** Sums in the contract's order: element k into lane k mod 4, then (s0 + s1) + (s2 + s3). */
export function fourLanes(count: number, term: (k: number) => number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const whole = count - (count % 4);
  for (let k = 0; k < whole; k += 4) {
    s0 += term(k);
    s1 += term(k + 1);
    s2 += term(k + 2);
    s3 += term(k + 3);
  }
  if (whole < count) s0 += term(whole);
  if (whole + 1 < count) s1 += term(whole + 1);
  if (whole + 2 < count) s2 += term(whole + 2);
  return s0 + s1 + (s2 + s3);
}

/** {@link fourLanes} for terms that come one by one. */
export class LaneSum {
  #s0 = 0;
  #s1 = 0;
  #s2 = 0;
  #s3 = 0;
  #count = 0;

  add(term: number): void {
    switch (this.#count++ & 3) {
      case 0:
        this.#s0 += term;
        break;
      case 1:
        this.#s1 += term;
        break;
      case 2:
        this.#s2 += term;
        break;
      default:
        this.#s3 += term;
    }
  }

  get total(): number {
    return this.#s0 + this.#s1 + (this.#s2 + this.#s3);
  }
}
