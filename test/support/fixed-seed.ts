import fc from 'fast-check';
import { expect } from 'vitest';

// Properties draw their examples from a fixed seed, so one commit has one result. TEST_SEED=any draws other examples
// each time, TEST_SEED=7 those of seed 7.
const given = process.env.TEST_SEED ?? '20261120';
if (given !== 'any') {
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be a whole number or "any"; got ${given}`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}

// Vitest compares arrays of numbers element by element, which takes seconds for a million. Equal bytes are equal numbers.
const isView = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value) && !(value instanceof DataView);
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);
expect.addEqualityTesters([
  (a, b) =>
    isView(a) && isView(b) && a.constructor === b.constructor && bytesOf(a).equals(bytesOf(b)) ? true : undefined,
]);
