// Up to eight digits of text in one 64-bit word; the first byte is the lowest.

/** Returns the first `length` (1 … 8) bytes of `word` right-aligned: 0 … 9 for digits, ≥ 10 for other bytes. */
// @ts-ignore: decorator
@inline
export function lastDigits(word: u64, length: usize): u64 {
  return (word ^ 0x3030303030303030) << (64 - 8 * <u64>length);
}

/** Returns true if all eight bytes are 0 … 9. */
// @ts-ignore: decorator
@inline
export function allDigits(digits: u64): bool {
  return (((digits + 0x7676767676767676) | digits) & 0x8080808080808080) == 0;
}

// Returns the number of eight digit bytes: pairs, then fours, then all eight, two products at a time. After D. Lemire,
// "Quickly parsing eight digits" (2018).
// @ts-ignore: decorator
@inline
export function digitsValue(digits: u64): u32 {
  const pairs = digits * 10 + (digits >> 8);
  return <u32>((((pairs & 0x000000ff000000ff) * 0x000f424000000064) + (((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >> 32);
}
