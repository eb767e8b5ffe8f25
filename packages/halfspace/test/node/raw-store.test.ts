import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { RawStore } from '../../src/node/tables/raw-store.ts';
import { WordList } from '../../src/table/words.ts';

const byte = fc.integer({ min: -128, max: 127 });
/** Numbers of one chunk: all small, all whole, or any, with those that no integer array holds. */
const numbers = fc.constantFrom(
  byte.map(Number),
  fc.oneof(byte, fc.constantFrom(32_767, -32_768, 32_768, 2 ** 31 - 1, -(2 ** 31))),
  fc.oneof(byte, fc.double(), fc.constantFrom(-0, Number.NaN, 2 ** 31, Infinity)),
);
/** So many columns of numbers that a block holds few chunks. */
const wide = 40;
const word = fc.oneof({ withCrossShrink: true }, fc.constantFrom('', 'a', 'äöü'), fc.string({ maxLength: 5 }));

test('a store gives back the cells it took, in memory or in a file', () => {
  const chunks = fc.array(
    fc
      .tuple(fc.constantFrom(1, 300, 300), numbers)
      .chain(([rows, any]) =>
        fc.tuple(
          fc.array(any, { minLength: rows, maxLength: rows }),
          fc.array(fc.option(word), { minLength: rows, maxLength: rows }),
          fc.array(word, { minLength: rows, maxLength: rows }),
        ),
      ),
    { minLength: 3, maxLength: 6 },
  );
  forAll(25, chunks, fc.constantFrom(undefined, 0, 40_000), (taken, memory) => {
    const [texts, categories, labels] = [new WordList(), new WordList(), new WordList()];
    const store = new RawStore([...Array(wide + 1).fill(false), true], memory);
    const coded = (list: WordList, words: readonly (string | null)[]) => ({
      codes: Uint32Array.from(words, (each) => list.code(each)),
      words: list.words,
    });
    for (const [cells, words, classes] of taken)
      store.append({
        rows: cells.length,
        columns: [...Array(wide).fill(Float64Array.from(cells)), coded(categories, words), coded(texts, words)],
        label: coded(labels, classes),
      });
    const read: unknown[][] = [];
    for (const { rows, columns, label } of store.chunks(
      [wide + 1, 0, wide],
      [texts, new WordList(), categories],
      labels,
    ))
      for (let i = 0; i < rows; i++)
        read.push(
          [...columns, label].map((cells) =>
            cells instanceof Float64Array ? cells[i] : cells!.words[cells!.codes[i]!],
          ),
        );
    store.close();
    const expected = taken.flatMap(([cells, words, classes]) =>
      cells.map((cell, i) => [words[i], cell, words[i], classes[i]]),
    );
    expect(read).toStrictEqual(expected);
  });
});

test('a block with room for more rows than the one before it is read whole', () => {
  const store = new RawStore(Array(wide).fill(false));
  const labels = new WordList();
  const sizes = [300, 300, 1, 1];
  for (const rows of sizes)
    store.append({
      rows,
      columns: Array(wide).fill(Float64Array.from({ length: rows }, (_, i) => i)),
      label: { codes: new Uint8Array(rows).fill(labels.code('a')), words: labels.words },
    });
  const read: number[] = [];
  for (const { rows, columns } of store.chunks([3], [new WordList()], labels))
    read.push(...(columns[0] as Float64Array).subarray(0, rows));
  expect(read).toStrictEqual(sizes.flatMap((rows) => Array.from({ length: rows }, (_, i) => i)));
});
