import fc from 'fast-check';
import { bytesOf } from './text.ts';

/** A line as text, and what it means: null for one that is blank or a comment. */
export interface Line {
  readonly text: string;
  readonly row: { readonly label: number; readonly features: readonly (readonly [number, number])[] } | null;
}

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''));

/** Numbers as people and programs write them. */
export const numberText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 1000 }).map(String) },
  { weight: 6, arbitrary: fc.tuple(digits(1), digits(8)).map(([whole, part]) => `${whole}.${part}`) },
  { weight: 2, arbitrary: fc.tuple(digits(4), digits(19)).map(([whole, part]) => `${whole}.${part}`) },
  { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x.toExponential()) },
  { weight: 1, arbitrary: digits(6).map((part) => `.${part}`) },
  { weight: 1, arbitrary: digits(24).map((whole) => `+${whole}.`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(digits(3), fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(2))
      .map((parts) => parts.join('')),
  },
);

const blank = fc.constantFrom(' ', ' ', ' ', ' ', '  ', '\t', ' \t ', ' '.repeat(70));
const end = fc.constantFrom('', '', '', ' ', '\r', ' \r', '# a comment 3:4', ' #', '\t# qid:3');

const exampleLine: fc.Arbitrary<Line> = fc
  .record({
    before: fc.constantFrom('', '', '', ' ', '\t'),
    label: fc.oneof(fc.constantFrom('1', '-1', '+1', '0', '2'), numberText),
    gaps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 90_000_000 }) },
      ),
      { maxLength: 12 },
    ),
    zero: fc.boolean(),
    values: fc.array(numberText, { minLength: 12, maxLength: 12 }),
    blanks: fc.array(blank, { minLength: 12, maxLength: 12 }),
    end,
  })
  .map(({ before, label, gaps, zero, values, blanks, end }) => {
    let index = zero ? -1 : 0;
    let text = before + label;
    const features = gaps.map((gap, k): [number, number] => {
      index += gap;
      text += `${blanks[k]}${index}:${values[k]}`;
      return [index, Number(values[k])];
    });
    return { text: text + end, row: { label: Number(label), features } };
  });

const otherLine: fc.Arbitrary<Line> = fc
  .constantFrom('', ' ', '\t ', '\r', '# 1 1:2', '  # comment', '#')
  .map((text) => ({ text, row: null }));

/** Texts of valid lines, mostly examples. */
export const validLines: fc.Arbitrary<Line[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: exampleLine }, { weight: 1, arbitrary: otherLine }),
  { maxLength: 8 },
);

/** Bytes that mean something to a parser, and a few that mean nothing to any. */
const bytes = fc.constantFrom(
  ...bytesOf('0123456789:.+-eE# \t\r\n,|\'"qidnaf xX/'),
  0,
  1,
  8,
  11,
  12,
  127,
  128,
  0xc3,
  255,
);

const edit = fc.record({ at: fc.nat(), kind: fc.constantFrom('replace', 'insert', 'remove', 'cut'), byte: bytes });

const edits = (minLength: number) => fc.array(edit, { minLength, maxLength: 6 });

/** Valid texts in which some bytes were replaced, added or removed, or of which the end is missing. */
export const damagedText: fc.Arbitrary<Uint8Array> = fc
  .tuple(validLines, edits(1), fc.boolean())
  .map(([lines, edits, ended]) => edited(lines.map(({ text }) => text).join('\n') + (ended ? '\n' : ''), edits));

const anyValue = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  fc.tuple(digits(1), digits(7)).map((parts) => parts.join('.')),
);
const sixDecimals = fc.integer({ min: 0, max: 9_999_999 }).map((millionths) => (millionths / 1e6).toFixed(6));

const rowsOf = (value: fc.Arbitrary<string>) =>
  fc.array(
    fc.array(fc.tuple(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 30_000 })), value), {
      maxLength: 20,
    }),
    { maxLength: 4 },
  );

/** Rows of features as programs write them, often with six decimals, with a few edits. Kernels read four at a time. */
export const regularText: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.oneof(
      rowsOf(anyValue),
      rowsOf(fc.oneof({ weight: 15, arbitrary: sixDecimals }, { weight: 1, arbitrary: anyValue })),
    ),
    edits(0),
  )
  .map(([rows, edits]) => {
    const lines = rows.map((row) => {
      let index = 0;
      const tokens = row.map(([gap, value]) => {
        index += gap;
        return ` ${index}:${value}`;
      });
      return `1${tokens.join('')}\n`;
    });
    return edited(lines.join(''), edits.slice(0, 3));
  });

interface Edit {
  readonly at: number;
  readonly kind: string;
  readonly byte: number;
}

function edited(text: string, edits: readonly Edit[]): Uint8Array {
  const changed = [...bytesOf(text)];
  for (const { at, kind, byte } of edits) {
    const place = at % (changed.length + 1);
    if (kind === 'replace') changed.splice(place, 1, byte);
    else if (kind === 'insert') changed.splice(place, 0, byte);
    else if (kind === 'remove') changed.splice(place, 1);
    else if (at % 7 === 0) changed.length = place;
  }
  return Uint8Array.from(changed);
}
