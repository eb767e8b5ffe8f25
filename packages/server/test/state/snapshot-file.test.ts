import { OnlineClassifier } from 'halfspace';
import { expect, test } from 'vitest';
import { crc32c } from '../../src/journal/crc32c.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { givenId } from '../support/drafts.ts';
import { uninterrupted } from '../support/examples.ts';

const state = uninterrupted(
  ModelState.begin(new OnlineClassifier({ columns: { x: 'number' } }), 3),
  Array.from({ length: 40 }, (_, k): [string, number] => [String(k), k + 1]),
  40,
);
const bytes = state.snapshot();

test('a state that was read back has the same bytes, and goes on with the same bytes', () => {
  const again = ModelState.load(bytes);
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

test('a snapshot of version 1, which has no names of fields, is read', () => {
  const [about, ...rest] = Buffer.from(bytes).toString().split('\n').slice(0, -2) as [string, ...string[]];
  const { names, ...others } = JSON.parse(about);
  expect(names.lists).toEqual([
    ['x', 'y', 'colour'],
    ['x', 'colour'],
  ]);
  const body = Buffer.from(`${[JSON.stringify({ ...others, version: 1 }), ...rest].join('\n')}\n`);
  const old = Buffer.concat([body, Buffer.from(`${crc32c(body).toString(16).padStart(8, '0')}\n`)]);
  const again = ModelState.load(old);
  expect(again.names.state()).toEqual({ lists: [], next: 0 });
  expect(again.classifier.save()).toBe(state.classifier.save());
});
