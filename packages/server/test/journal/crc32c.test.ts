import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32c } from '../../src/journal/crc32c.ts';

/** Divides bit by bit. */
function bitwise(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((crc ^ (byte >>> bit)) & 1) === 1;
      crc = (crc >>> 1) ^ (isOdd ? 0x82f6_3b78 : 0);
    }
  return ~crc >>> 0;
}

test.each([
  ['32 zeros', new Uint8Array(32), 0x8a91_36aa],
  ['32 ones', new Uint8Array(32).fill(255), 0x62a8_ab43],
  ['rising', Uint8Array.from({ length: 32 }, (_, k) => k), 0x46dd_794e],
  ['falling', Uint8Array.from({ length: 32 }, (_, k) => 31 - k), 0x113f_db5c],
  ['digits', Buffer.from('123456789'), 0xe306_9283],
])('has the values of RFC 3720: %s', (_, bytes, crc) => {
  expect(crc32c(bytes)).toBe(crc);
});

test('equals division bit by bit, from any offset to any end, in one piece or two', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 67 }), fc.nat(67), fc.nat(67), fc.nat(67), (bytes, a, b, c) => {
      const [from, cut, to] = [a, b, c].map((each) => Math.min(each, bytes.length)).sort((x, y) => x - y) as [
        number,
        number,
        number,
      ];
      const crc = bitwise(bytes.subarray(from, to));
      expect(crc32c(bytes, from, to)).toBe(crc);
      expect(crc32c(bytes, cut, to, crc32c(bytes, from, cut))).toBe(crc);
    }),
  );
});
