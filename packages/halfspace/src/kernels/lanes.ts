/** Adds up in the order of the contract: element k in lane k mod 4, then (s0 + s1) + (s2 + s3). */
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
