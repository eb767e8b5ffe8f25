import { describe, expect, it } from 'vitest';
import { murmur3 } from '../../src/kernels/murmur.ts';
import { featureHash } from '../oracles/text/vw.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const hash = (text: string, seed: number) => murmur3(bytes(text), 0, bytes(text).length, seed);

describe('MurmurHash3_x86_32', () => {
  // Published test values of the algorithm; the first three are those of the empty string.
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['a', 0x9747b28c, 0x7fa09ea6],
    ['aa', 0x9747b28c, 0x5d211726],
    ['aaa', 0x9747b28c, 0x283e0130],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['abc', 0, 0xb3dd93fa],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('of %j with seed %i is %i', (text, seed, expected) => {
    expect(hash(text, seed)).toBe(expected);
  });

  it('reads a range of bytes', () => {
    expect(murmur3(bytes('xxabcyy'), 2, 5, 0)).toBe(hash('abc', 0));
  });
});

describe('the hash of a feature', () => {
  const feature = (name: string, seed = 0) => featureHash(bytes(name), 0, bytes(name).length, seed);

  it('is the number plus the seed for digits', () => {
    expect(feature('12', 100)).toBe(112);
    expect(feature('0012', 100)).toBe(112);
    expect(feature('4294967295', 2)).toBe(1);
  });

  it('is murmur3 for everything else', () => {
    for (const name of ['a', '-5', '3.0', '1a', 'straße']) expect(feature(name, 7)).toBe(hash(name, 7));
  });

  it('ignores control characters at the ends', () => {
    expect(feature('\x0b12\x1f', 1)).toBe(13);
    expect(feature('\x0bab\x0c')).toBe(hash('ab', 0));
    expect(feature('a\x0bb')).toBe(hash('a\x0bb', 0));
  });
});
