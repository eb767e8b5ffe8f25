import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { LineRange } from '../../src/node/parallel/range-parser.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** All that a range gives, read into room of the given sizes in turn, and where it says that begins. */
function readAll(descriptor: number, from: number, to: number, sizes: readonly number[]) {
  const range = new LineRange(descriptor, from, to, 'data.svm');
  const bytes: number[] = [];
  for (let turn = 0; ; turn++) {
    const target = new Uint8Array(sizes[turn % sizes.length]!);
    const count = range.read(target);
    if (count === 0) return { text: Buffer.from(bytes).toString('latin1'), start: range.start };
    bytes.push(...target.subarray(0, count));
  }
}

describe('the ranges of a file', () => {
  test('give every line once, in order, each in the range where it begins, for any cuts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '\n', '\n', '\r\n', '1 2:3', 'x'.repeat(40)), { maxLength: 40 })
      .map((pieces) => pieces.join(''));
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 3 });
    let run = 0;
    forAll(500, text, cuts, sizes, (data, points, rooms) => {
      const path = join(folder, `${run++}.svm`);
      writeFileSync(path, data, 'latin1');
      const file = openSync(path, 'r');
      const bounds = [0, ...new Set(points.filter((at) => at > 0))].sort((a, b) => a - b);
      const pieces = bounds.map((from, i) => ({ from, ...readAll(file, from, bounds[i + 1] ?? Infinity, rooms) }));
      closeSync(file);
      expect(pieces.map((piece) => piece.text).join('')).toBe(data);
      pieces.forEach((piece, i) => {
        if (piece.text === '') return;
        expect(data.slice(piece.start, piece.start + piece.text.length)).toBe(piece.text);
        expect(piece.start >= piece.from && piece.start < (bounds[i + 1] ?? Infinity)).toBe(true);
        expect(piece.start === 0 || data[piece.start - 1] === '\n').toBe(true);
      });
    });
  });

  test('find the end of a line far beyond the range', () => {
    const path = join(folder, 'long.svm');
    const data = `a\n${'b'.repeat(20_000)}\nc\n`;
    writeFileSync(path, data);
    const file = openSync(path, 'r');
    expect(readAll(file, 0, 3, [1000]).text).toBe(data.slice(0, -2));
    for (const [from, to] of [
      [3, 4],
      [3, 15_000],
      [15_000, 20_003],
    ] as const)
      expect(readAll(file, from, to, [1000]).text).toBe('');
    expect(readAll(file, 15_000, 20_004, [1000]).text).toBe('c\n');
    closeSync(file);
  });
});
