// The ends of words in Vowpal Wabbit text.

// @ts-ignore: decorator
@inline
export function isBlank(c: u32): bool {
  return c == 32 || c == 9 || c == 13;
}

// @ts-ignore: decorator
@inline
export function endsWord(c: u32): bool {
  return isBlank(c) || c == 10 || c == 124;
}
