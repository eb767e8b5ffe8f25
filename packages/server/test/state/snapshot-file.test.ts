import { OnlineClassifier } from 'halfspace';
import { expect, test } from 'vitest';
import { ModelState } from '../../src/state/model-state.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { givenId } from '../support/drafts.ts';
import { uninterrupted } from '../support/examples.ts';

const state = uninterrupted(
  ModelState.begin('m', new OnlineClassifier({ columns: { x: 'number' } }), 3),
  Array.from({ length: 40 }, (_, k): [string, number] => [String(k), k + 1]),
  40,
);
const bytes = state.snapshot();

test('a state that was read back has the same bytes, and goes on with the same bytes', () => {
  const again = ModelState.load(bytes, 'm');
  expect(Buffer.compare(again.snapshot(), bytes)).toBe(0);
  expect(again.ids.list().map(([id, at]) => [givenId(id), at])).toEqual([
    ['37', 38],
    ['38', 39],
    ['39', 40],
  ]);
});

test('a snapshot that was cut or changed is refused', () => {
  // One error is found anywhere; a step that is prime to 8 reaches every bit of a byte.
  for (let bit = 0; bit < 8 * bytes.length; bit += 37) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decodeSnapshot(changed)).toThrow(/another CRC/);
    expect(() => decodeSnapshot(bytes.subarray(0, bit >> 3))).toThrow(/another CRC/);
  }
});
