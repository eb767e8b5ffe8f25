// Returns the first byte of [p, to) that does not begin valid UTF-8, or `to` (The Unicode Standard, table 3-7).
export function utf8Fault(p: usize, to: usize): usize {
  while (p < to) {
    const c: u32 = load<u8>(p);
    if (c < 0x80) {
      p++;
      continue;
    }
    const more: usize = c < 0xc2 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 0;
    if (more == 0 || p + more >= to) return p;
    const second: u32 = load<u8>(p, 1);
    const least: u32 = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    const most: u32 = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return p;
    for (let i: usize = 2; i <= more; i++) if ((load<u8>(p + i) & 0xc0) != 0x80) return p;
    p += more + 1;
  }
  return to;
}
