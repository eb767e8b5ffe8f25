const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Returns the checksum of gzip and ZIP. @param before that of the bytes before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before;
  for (let i = 0; i < bytes.length; i++) rest = remainders[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
  return ~rest >>> 0;
}
