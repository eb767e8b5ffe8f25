import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/model/sha256.ts';
import { Random } from '../../src/random.ts';

const random = new Random(256);

function randomBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

describe('sha256', () => {
  it('equals that of node:crypto for every length around its blocks, and for large ones', () => {
    for (const length of [...Array(201).keys(), 1000, 4095, 4096, 65_537, 1_000_003]) {
      const bytes = randomBytes(length);
      expect(sha256(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('reads a view at its offset', () => {
    const bytes = randomBytes(100);
    expect(sha256(bytes.subarray(17, 90))).toBe(sha256(bytes.slice(17, 90)));
  });

  it('does not change its input', () => {
    const bytes = randomBytes(64);
    const before = bytes.slice();
    sha256(bytes);
    expect(bytes).toEqual(before);
  });
});
