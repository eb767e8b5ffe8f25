import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Renumbering } from '../../src/data/renumbering.ts';
import { createTextParser, type TextParser } from '../../src/data/text-parser.ts';
import { TextBuffers } from '../../src/data/text-reader.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { NameTable } from '../../src/kernels/name-table.ts';
import { implementations } from '../support/kernels.ts';
import { bytesOf } from '../support/text.ts';

const recipe = { format: 'vw', bits: null, known: null } as const;

/** Reads rows of names into buffers of their own. Returns the batch and the names that are new to the parser. */
function read(kernels: Kernels, parser: TextParser, rows: readonly (readonly string[])[]) {
  const bytes = bytesOf(rows.map((row) => `1 |f ${row.join(' ')}\n`).join(''));
  const buffers = new TextBuffers(kernels, { textBytes: 4096, batchRows: 8, batchValues: 512 });
  buffers.text.array.set(bytes);
  buffers.report.array.set([0, bytes.length, 1]);
  expect(parser.parse(buffers.text, buffers.rows, buffers.report)).toBe(layout.statusDone);
  const batch = buffers.batch(parser.compact);
  if (batch.kind === 'dense') throw new Error('text is sparse');
  return { batch, names: parser.newNames()!, buffers };
}

const name = fc.oneof(fc.constantFrom('a', 'b', 'straße'), fc.nat(20_000).map(String));
const piece = fc.record({
  /** The parser that reads it. */
  by: fc.nat(2),
  rows: fc.array(fc.array(name, { maxLength: 40 }), { minLength: 1, maxLength: 8 }),
});
const pieces = fc.array(piece, { maxLength: 8 }).chain((list) =>
  fc.record({
    list: fc.constant(list),
    /** Places in the list, in the order of reading. */
    order: fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
  }),
);

describe('Renumbering', () => {
  test.each(implementations)(
    'gives names the numbers of one parser, whoever reads a piece and when: %s',
    (_, create) => {
      const kernels = create();
      fc.assert(
        fc.property(pieces, ({ list, order }) => {
          const table = new NameTable(kernels);
          const parsers = [0, 1, 2].map(() => createTextParser(kernels, recipe));
          const numbers = parsers.map(() => new Renumbering(kernels, table));
          const parts = new Map(order.map((i) => [i, read(kernels, parsers[list[i]!.by]!, list[i]!.rows)]));
          const expected: string[] = [];
          for (const [i, { by, rows }] of list.entries()) {
            const { batch, names, buffers } = parts.get(i)!;
            expect(numbers[by]!.apply(batch, names)).toBe(batch);
            const whole = rows.map((row) => [...new Set(row)].map((word) => `f^${word}`));
            for (const word of whole.flat()) if (!expected.includes(word)) expected.push(word);
            const found = whole.map((_, k) => [...batch.indices.subarray(batch.offsets[k], batch.offsets[k + 1])]);
            expect(found).toEqual(whole.map((row) => row.map((word) => expected.indexOf(word))));
            expect(batch.dimension).toBe(expected.length);
            buffers.free();
          }
          expect(table.names()).toEqual(expected);
          for (const each of [table, ...parsers, ...numbers]) each.free();
        }),
        { numRuns: 200 },
      );
    },
  );

  test('widens compact rows when there are more names than they can have', () => {
    const [[, create]] = implementations as [(typeof implementations)[number]];
    const kernels = create();
    const table = new NameTable(
      kernels,
      Array.from({ length: 65_535 }, (_, i) => `other ${i}`),
    );
    const parser = createTextParser(kernels, recipe);
    const numbers = new Renumbering(kernels, table);
    const first = read(kernels, parser, [['a']]);
    expect(numbers.apply(first.batch, first.names)).toBe(first.batch);
    const second = read(kernels, parser, [['a', 'b:0.25']]);
    const wide = numbers.apply(second.batch, second.names);
    expect(wide).toMatchObject({ kind: 'sparse', rows: 1, dimension: 65_537 });
    expect([...wide.indices]).toEqual([65_535, 65_536]);
    expect([...wide.values]).toEqual([1, 0.25]);
  });
});
