import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeptBytes } from '../../src/data/kept-bytes.ts';
import { spillDouble } from '../support/spill.ts';

test('kept bytes come back in order, any number of times: the first ones from memory, the others from the spill', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }));
  fc.assert(
    fc.property(pieces, fc.nat(100), (all, most) => {
      const spill = spillDouble();
      const kept = new KeptBytes(spill.open, 'x', most);
      for (const piece of all) {
        const reused = piece.slice();
        kept.append(reused);
        reused.fill(0);
      }
      for (let k = 0; k < 2; k++)
        expect(Array.from(kept.pieces(), (piece) => [...piece])).toEqual(all.map((piece) => [...piece]));
      const total = all.reduce((sum, { length }) => sum + length, 0);
      expect(total - spill.bytes).toBeLessThanOrEqual(most);
      expect(spill.opened).toBe(total > most ? 1 : 0);
    }),
  );
});

test('bytes beyond the bound are refused where there is no file', () => {
  const kept = new KeptBytes(undefined, 'upload', 100);
  kept.append(new Uint8Array(60));
  expect(() => kept.append(new Uint8Array(41))).toThrow(
    expect.objectContaining({
      code: 'memory-exhausted',
      message: expect.stringMatching(/^upload: expected memory for 41 more bytes/),
    }),
  );
});
