/**
 * CRC-32C (Castagnoli): the reflected polynomial 0x82F63B78, as in RFC 3720, Appendix B.4. It finds every error of up
 * to 32 bits in a row. Eight tables take eight bytes a step ("slicing by 8": Kounavis and Berry, 2005).
 *
 * @param seed continues from the CRC of the bytes before. Default 0: there are none.
 */
export function crc32c(bytes: Uint8Array, from = 0, to: number = bytes.length, seed = 0): number {
  let crc = ~seed;
  let at = from;
  for (const whole = to - 7; at < whole; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      tables[1792 + (low & 255)]! ^
      tables[1536 + ((low >>> 8) & 255)]! ^
      tables[1280 + ((low >>> 16) & 255)]! ^
      tables[1024 + (low >>> 24)]! ^
      tables[768 + bytes[at + 4]!]! ^
      tables[512 + bytes[at + 5]!]! ^
      tables[256 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!;
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}

/** Table k, from 256 k on, has the remainder of each byte with k bytes of zeros behind it. */
const tables = /* @__PURE__ */ makeTables();

function makeTables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
    made[byte] = crc;
  }
  for (let at = 256; at < made.length; at++) {
    const before = made[at - 256]!;
    made[at] = (before >>> 8) ^ made[before & 255]!;
  }
  return made;
}
