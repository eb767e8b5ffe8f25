/** Returns the first byte of [p, to) that does not begin valid UTF-8, or `to` (The Unicode Standard, table 3-7). */
export function utf8Fault(text: Uint8Array, p: number, to: number): number {
  while (p < to) {
    const c = text[p]!;
    const more = c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
    if (more < 0 || p + more >= to) return p;
    if (more > 0) {
      const second = text[p + 1]!;
      const least = c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80;
      const most = c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf;
      if (second < least || second > most) return p;
      for (let i = 2; i <= more; i++) if ((text[p + i]! & 0xc0) !== 0x80) return p;
    }
    p += more + 1;
  }
  return to;
}
