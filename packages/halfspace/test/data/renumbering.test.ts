import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Renumbering } from '../../src/data/renumbering.ts';
import { createTextParser } from '../../src/data/text-parser.ts';
import { TextBuffers } from '../../src/data/text-reader.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import { NameTable } from '../../src/kernels/name-table.ts';
import { implementations } from '../support/kernels.ts';
import { bytesOf } from '../support/text.ts';

const recipe = { format: 'vw', bits: null, known: null } as const;

/** A parser with buffers of its own, as each thread has one. */
class Reader {
  readonly #parser;
  readonly #buffers;
  #bytes = 0;
  #count = 0;

  constructor(kernels: Kernels) {
    this.#parser = createTextParser(kernels, recipe);
    this.#buffers = new TextBuffers(kernels, { textBytes: 4096 });
  }

  /** Reads whole lines; returns their rows and the names that are new. */
  read(text: string) {
    const bytes = bytesOf(text);
    this.#buffers.text.array.set(bytes);
    this.#buffers.report.array.set([0, bytes.length, 1]);
    expect(this.#parser.parse(this.#buffers.text, this.#buffers.rows, this.#buffers.report)).toBe(layout.statusDone);
    const batch = this.#buffers.batch(this.#parser.compact);
    const names = this.#parser.names!;
    const entries = { block: names.arena, from: this.#bytes, to: names.bytes, count: names.size - this.#count };
    [this.#bytes, this.#count] = [names.bytes, names.size];
    return { batch, entries };
  }
}

const name = fc.oneof(fc.constantFrom('a', 'b', 'straße'), fc.nat(20_000).map(String));
const piece = fc.record({
  reader: fc.nat(2),
  rows: fc.array(fc.array(name, { maxLength: 40 }), { minLength: 1, maxLength: 8 }),
});

describe('Renumbering', () => {
  test.each(implementations)('gives names the numbers of one parser, whoever reads a piece: %s', (_, create) => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const kernels = create();
        const names = new NameTable(kernels);
        const readers = [0, 1, 2].map(() => ({
          reader: new Reader(kernels),
          numbers: new Renumbering(kernels, names),
        }));
        const expected: string[] = [];
        for (const { reader: which, rows } of pieces) {
          const { reader, numbers } = readers[which]!;
          const { batch, entries } = reader.read(rows.map((row) => `1 |f ${row.join(' ')}\n`).join(''));
          if (batch.kind === 'dense') throw new Error('text is sparse');
          numbers.learn(entries);
          expect(numbers.apply(batch)).toBe(batch);
          const whole = rows.map((row) => [...new Set(row)].map((word) => `f^${word}`));
          for (const word of whole.flat()) if (!expected.includes(word)) expected.push(word);
          const read = whole.map((_, i) => [...batch.indices.subarray(batch.offsets[i], batch.offsets[i + 1])]);
          expect(read).toEqual(whole.map((row) => row.map((word) => expected.indexOf(word))));
          expect(batch.dimension).toBe(expected.length);
        }
        expect(names.names()).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});
