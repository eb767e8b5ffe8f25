import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { splitReciprocal } from '../../src/kernels/decimal-places.ts';
import { compactArrays, type Kernels, type RowBlocks } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { implementations, reference, wasm } from '../support/kernels.ts';
import { damagedText, regularText, validLines } from '../support/libsvm-text.ts';
import { bytesOf } from '../support/text.ts';

const both = { wasm: wasm(), reference: reference() };

interface ParsedRow {
  readonly label: number;
  readonly features: readonly (readonly [number, number])[];
}

interface Fault {
  readonly status: number;
  /** Bytes from the start of the text. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

interface Parsed {
  readonly rows: ParsedRow[];
  readonly faults: Fault[];
  readonly lines: number;
  readonly zeroIndex: boolean;
  readonly dimension: number;
}

function rowBlocks(kernels: Kernels, rows: number, values: number): RowBlocks {
  return {
    offsets: kernels.uint32(rows + 1),
    indices: kernels.uint32(values),
    values: kernels.float64(values),
    labels: kernels.float64(rows),
    importance: kernels.float64(rows),
  };
}

/**
 * Parses a whole text by repeated calls of a kernel, skipping refused lines. The bytes behind the text would be a
 * fault, or more digits of the last number; the kernel must not read them. With `compactly`, lines are read compactly
 * if possible.
 */
function parseAll(
  kernels: Kernels,
  data: Uint8Array,
  { rows = 64, values = 256, behind = 0x37, compactly = false } = {},
): Parsed & { readonly wide: number; readonly short: number } {
  const text = kernels.uint8(data.length + 64);
  text.array.fill(behind).set(data);
  const report = kernels.float64(layout.reportSize);
  const blocks = rowBlocks(kernels, rows, values);
  const parsed = {
    rows: [] as ParsedRow[],
    faults: [] as Fault[],
    lines: 0,
    zeroIndex: false,
    dimension: 0,
    wide: 0,
    short: 0,
  };
  let from = 0;
  // The end of a line that is not read compactly.
  let wideTo = 0;
  for (;;) {
    const compact = compactly && from >= wideTo;
    const to = compact || !compactly ? data.length : wideTo;
    report.array.set([from, to, to === data.length ? 1 : 0]);
    const status = kernels.parseLibsvm(text, blocks, report, compact);
    const answer = report.array;
    if (status === layout.statusEnlarge) {
      blocks.indices.resize(blocks.indices.length * 2);
      blocks.values.resize(blocks.values.length * 2);
      continue;
    }
    const offsets = blocks.offsets.array;
    const { indices, values: stored } = compact
      ? compactArrays(blocks)
      : { indices: blocks.indices.array, values: blocks.values.array };
    const { high, low } = compact ? splitReciprocal(layout.parsedPlaces) : { high: 1, low: 0 };
    const value = (k: number) => stored[k]! * high + stored[k]! * low;
    for (let i = 0; i < answer[layout.reportRows]!; i++)
      parsed.rows.push({
        label: blocks.labels.array[i]!,
        features: Array.from({ length: offsets[i + 1]! - offsets[i]! }, (_, k) => [
          indices[offsets[i]! + k]!,
          value(offsets[i]! + k),
        ]),
      });
    if (compact) parsed.short += answer[layout.reportRows]!;
    parsed.lines += answer[layout.reportLines]!;
    parsed.dimension = Math.max(parsed.dimension, answer[layout.reportDimension]!);
    parsed.zeroIndex ||= answer[layout.reportZeroIndex] === 1;
    expect(answer[layout.reportStored]).toBe(offsets[answer[layout.reportRows]!]);
    from = answer[layout.reportConsumed]!;
    if (status === layout.statusDone && to === data.length) break;
    if (status === layout.statusDone || status === layout.statusFull) continue;
    if (status === layout.statusNotCompact) {
      const end = data.indexOf(10, from);
      wideTo = end === -1 ? data.length : end + 1;
      parsed.wide++;
      continue;
    }
    parsed.faults.push({
      status,
      line: from,
      from: answer[layout.reportFaultFrom]!,
      to: answer[layout.reportFaultTo]!,
    });
    const newline = data.indexOf(10, from);
    if (newline === -1) break;
    from = newline + 1;
    parsed.lines++;
  }
  // A line feed is put behind the text while it is read, and taken away again.
  expect([...text.array]).toEqual([...data, ...Array(64).fill(behind)]);
  for (const block of [text, report, ...Object.values(blocks)]) block.free();
  return parsed;
}

describe.each(implementations)('%s parser', (_, create) => {
  const kernels = create();

  it('reads valid lines as they were written', () => {
    forAll(700, validLines, fc.boolean(), fc.constantFrom(0x37, 0x3a, 0x20, 0x0a, 0), (lines, ended, behind) => {
      const text = bytesOf(lines.map(({ text }) => text).join('\n') + (ended && lines.length > 0 ? '\n' : ''));
      const { rows, faults, dimension, zeroIndex } = parseAll(kernels, text, { behind });
      const expected = lines.flatMap(({ row }) => (row === null ? [] : [row]));
      expect(faults).toEqual([]);
      expect(rows).toEqual(expected);
      const indices = expected.flatMap(({ features }) => features.map(([index]) => index));
      expect(dimension).toBe(Math.max(-1, ...indices) + 1);
      expect(zeroIndex).toBe(indices.includes(0));
    });
  });

  it('reads the same with room for few rows or values', () => {
    forAll(200, validLines, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 14 }), (lines, rows, values) => {
      const text = bytesOf(lines.map(({ text }) => text).join('\n'));
      expect(parseAll(kernels, text, { rows, values })).toEqual(parseAll(kernels, text));
    });
  });

  it('takes only complete lines while more bytes may follow, and reports where it stopped', () => {
    forAll(
      60,
      fc.oneof(
        validLines.map((lines) => bytesOf(lines.map(({ text }) => text).join('\n'))),
        damagedText,
      ),
      (data) => {
        const text = kernels.uint8(data.length + 64);
        const report = kernels.float64(layout.reportSize);
        const blocks = rowBlocks(kernels, 64, 256);
        const faultAt = parseAll(kernels, data).faults[0]?.line ?? Infinity;
        for (let to = 0; to <= data.length; to++) {
          text.array.set(data);
          report.array.set([0, to, 0]);
          const status = kernels.parseLibsvm(text, blocks, report);
          const complete = data.subarray(0, to).lastIndexOf(10) + 1;
          // A fault in a line that is not complete is no fault yet.
          expect(report.array[layout.reportConsumed]).toBe(Math.min(complete, faultAt));
          expect(status >= layout.statusFirstFault).toBe(faultAt < complete);
        }
        for (const block of [text, report, ...Object.values(blocks)]) block.free();
      },
    );
  });

  it.each([
    ['an index of ten digits', '1 4294967295:1', 4294967295],
    ['an index with zeros before it', '1 007:1', 7],
    ['an index with zeros before it, of eleven digits', '1 00000000007:1', 7],
    ['an index of seven digits', '1 1234567:1', 1234567],
    ['an index of eight digits', '1 12345678:1', 12345678],
  ])('reads %s', (_, line, index) => {
    expect(parseAll(kernels, bytesOf(line)).rows).toEqual([{ label: 1, features: [[index, 1]] }]);
  });

  it('reads tokens at any place within a block of 64 bytes', () => {
    for (let shift = 0; shift < 140; shift++) {
      const text = `1${' '.repeat(shift + 1)}3:0.25 17:1 200:12.5 1234567:0.1234567 90000000:-1e-3\n-1 2:7\n`;
      expect(parseAll(kernels, bytesOf(text)).rows).toEqual([
        {
          label: 1,
          features: [
            [3, 0.25],
            [17, 1],
            [200, 12.5],
            [1234567, 0.1234567],
            [90000000, -1e-3],
          ],
        },
        { label: -1, features: [[2, 7]] },
      ]);
    }
  });
});

describe.each(implementations)('%s parser, compactly', (_, create) => {
  const kernels = create();

  it('reads the same numbers as to doubles, and stops at each line that does not fit', () => {
    let [short, wide] = [0, 0];
    forAll(1000, damagedText, fc.integer({ min: 1, max: 3 }), fc.boolean(), (data, rows, small) => {
      const capacity = small ? { rows, values: 4 } : {};
      const plain = parseAll(kernels, data, capacity);
      const compact = parseAll(kernels, data, { ...capacity, compactly: true });
      expect({ ...compact, wide: 0, short: 0 }).toEqual(plain);
      short += compact.short;
      wide += compact.wide;
    });
    // Both kinds of lines must have come.
    expect(wide).toBeGreaterThan(40);
    expect(short).toBeGreaterThan(40);
  });

  it.each<[string, boolean]>([
    ['1 1:1 65535:0.000001 65536:1', false],
    ['1 1:1 65535:0.000001', true],
    ['1 1:2147.483647 2:-2147.483648 3:100 4:0.5 5:1e-6 6:1.5E2 7:00.25', true],
    ['1 1:2147.483648', false],
    ['1 1:0.1234567', false],
    ['1 1:0.1234560', true],
    ['1 1:-0', false],
    ['1 1:0.3333333333333333', false],
  ])('takes "%s" compactly: %s', (line, compact) => {
    const data = bytesOf(`${line}\n`);
    expect(parseAll(kernels, data, { compactly: true }).wide).toBe(compact ? 0 : 1);
    expect(parseAll(kernels, data, { compactly: true }).rows).toEqual(parseAll(kernels, data).rows);
  });
});

describe('WebAssembly and reference', () => {
  it('agree on compact rows, and on refusing them', () => {
    forAll(1000, damagedText, (data) => {
      expect(parseAll(both.wasm, data, { compactly: true })).toEqual(
        parseAll(both.reference, data, { compactly: true }),
      );
    });
  });

  it('agree on regular rows with few faults, at any room, compactly or not', () => {
    let features = 0;
    forAll(1500, regularText, fc.integer({ min: 1, max: 40 }), fc.boolean(), (data, values, compactly) => {
      const parsed = parseAll(both.wasm, data, { values, compactly });
      expect(parsed).toEqual(parseAll(both.reference, data, { values, compactly }));
      for (const row of parsed.rows) features += row.features.length;
    });
    expect(features).toBeGreaterThan(400);
  });

  it('agree on an index after one of ten digits', () => {
    const data = bytesOf(`1 1:1 2:1 3:1 4294967295:1 5:1 6:1 7:1 8:1 9:1 10:1\n`);
    expect(parseAll(both.wasm, data)).toEqual(parseAll(both.reference, data));
  });

  it('agree on damaged text: rows, refusals and places', () => {
    let refused = 0;
    let texts = 0;
    forAll(3000, damagedText, (data) => {
      texts++;
      const parsed = parseAll(both.wasm, data);
      expect(parsed).toEqual(parseAll(both.reference, data));
      refused += parsed.faults.length;
      for (const { line, from, to } of parsed.faults) {
        expect(from).toBeGreaterThanOrEqual(line);
        expect(to).toBeGreaterThanOrEqual(from);
        // The fault lies in its line, or just behind it where something is missing.
        const newline = data.indexOf(10, line);
        expect(to).toBeLessThanOrEqual(newline === -1 ? data.length : newline);
      }
    });
    // The damage must not be so light, or so heavy, that nothing is learned from it.
    expect(refused).toBeGreaterThan(texts / 3);
  });

  it('agree on damaged text with room for a few rows and values', () => {
    forAll(500, damagedText, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9 }), (data, rows, values) => {
      const capacity = { rows, values };
      expect(parseAll(both.wasm, data, capacity)).toEqual(parseAll(both.reference, data, capacity));
    });
  });

  it('agree on any bytes', () => {
    forAll(1000, fc.uint8Array({ maxLength: 100 }), (data) => {
      expect(parseAll(both.wasm, data)).toEqual(parseAll(both.reference, data));
    });
  });
});
