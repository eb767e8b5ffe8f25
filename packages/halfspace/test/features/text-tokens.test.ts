import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { looksLikeText } from '../../src/features/text/likeness.ts';
import { TextTerms } from '../../src/features/text/terms.ts';
import { countWords, TextTokens } from '../../src/features/text/tokens.ts';

function tokens(text: string): string[] {
  const cutter = new TextTokens();
  cutter.cut(text);
  return Array.from({ length: cutter.count }, (_, t) => text.slice(cutter.starts[t], cutter.ends[t]));
}

function terms(text: string, form: Partial<ConstructorParameters<typeof TextTerms>[0]> = {}): string[] {
  const all: string[] = [];
  new TextTerms({ words: [1, 1], characters: null, lowercase: true, ...form }).each(text, (term) => all.push(term));
  return all;
}

describe('tokens', () => {
  it.each([
    ['Free entry, 2nd prize!', ['Free', 'entry', ',', '2nd', 'prize', '!']],
    ["don't a_b", ['don', "'", 't', 'a', '_', 'b']],
    ['£1,000.50', ['£', '1', ',', '000', '.', '50']],
    ['Überfluß naïve', ['Überfluß', 'naïve']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['今天 天气好', ['今', '天', '天', '气', '好']],
    ['win 😀😀 now', ['win', '😀', '😀', 'now']],
    ['𝒳²', ['𝒳²']],
    ['a\u00a0b\u200bc\td\n', ['a', 'b', 'c', 'd']],
    ['', []],
  ])('of %j are %j', (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  it('omit nothing but white space, control and format characters, for any text', () => {
    forAll(fc.string({ unit: 'binary' }), (text) => {
      const found = tokens(text);
      expect(found.join('')).toBe(text.replace(/[\p{Z}\p{C}\s]/gu, ''));
      for (const token of found)
        expect(/^[\p{L}\p{N}\p{M}]+$/u.test(token) || [...token].length === 1, token).toBe(true);
    });
  });
});

describe('terms', () => {
  it('are n-grams of tokens in lower case, composed letters', () => {
    expect(terms('Zu Hause', { words: [1, 2] })).toEqual(['zu', 'zu hause', 'hause']);
    expect(terms('a b c d', { words: [2, 3] })).toEqual(['a b', 'a b c', 'b c', 'b c d', 'c d']);
    expect(terms('A a', { lowercase: false })).toEqual(['A', 'a']);
    expect(terms('cafe\u0301')).toEqual(['café']);
    expect(terms('one', { words: [2, 8] })).toEqual([]);
  });

  it('are n-grams of characters within runs padded with blanks; a short run is one term', () => {
    expect(terms('ab c', { words: null, characters: [3, 4] })).toEqual(['\t ab', '\tab ', '\t ab ', '\t c ']);
    expect(terms('😀', { words: null, characters: [2, 2] })).toEqual(['\t 😀', '\t😀 ']);
    expect(terms('a', { words: null, characters: [5, 9] })).toEqual(['\t a ']);
  });

  it('never coincide for words and for characters', () => {
    forAll(fc.string(), (text) => {
      const ofWords = new Set(terms(text, { words: [1, 3] }));
      for (const term of terms(text, { words: null, characters: [1, 3] })) expect(ofWords.has(term)).toBe(false);
    });
  });
});

describe('a column of words', () => {
  const likes = (cells: readonly string[]) =>
    looksLikeText({
      cells: cells.length,
      different: new Set(cells).size,
      words: cells.reduce((sum, cell) => sum + countWords(cell), 0),
    });
  const many = (make: (i: number) => string, count = 200) => Array.from({ length: count }, (_, i) => make(i));
  const pick = (i: number, ...words: string[]) => words[(i * 7919 + (i >> 3)) % words.length]!;

  it.each<[string, readonly string[]]>([
    ['messages', many((i) => `hello number ${i}, how are you today my friend`)],
    [
      'a few messages',
      ['see you at home tonight then, ok', 'please call me back when you can', 'where are you now, my dear friend'],
    ],
    ['questions that come five times each', many((i) => `what is the price of item ${i % 40} in this shop`)],
    [
      'names of cars',
      many((i) => `${pick(i, 'Toyota', 'Ford', 'Audi')} ${pick(i >> 2, 'Corolla', 'Focus', 'A4')} 1.${i}`),
    ],
    ['names of passengers', many((i) => `Smith${i}, ${pick(i, 'Mr.', 'Mrs.', 'Miss.')} John`)],
    ['addresses', many((i) => `${i} Main Street`)],
    ['a few names', ['Ann Lee', 'Bob Ray', 'Cy Young', 'Di Fox']],
    ['sentences without blanks', many((i) => `今天天气很好${String.fromCharCode(0x4e00 + i)}`)],
  ])('is text: %s', (_, cells) => {
    expect(likes(cells)).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ['single words', many((i) => pick(i, 'Biscoe', 'Dream', 'Torgersen'))],
    ['words with hyphens', many((i) => pick(i, 'Married-civ-spouse', 'Never-married', 'Exec-managerial'))],
    [
      'levels of several words',
      many((i) => pick(i, 'Never married', 'Married, living together', 'Widowed or divorced')),
    ],
    ['identifiers', many((i) => `A-${i}-XY`)],
    ['addresses on the web', many((i) => `https://example.org/page/${i}?q=${i}`)],
    ['countries', many((i) => pick(i, 'United States', 'France', 'South Africa', 'Peru', 'New Zealand'))],
    ['cities that come twice each', ['New York', 'San Jose', 'Los Angeles', 'Los Angeles', 'New York', 'San Jose']],
    ['directors with several films each', many((i) => `Director ${i % 60}`)],
  ])('is no text: %s', (_, cells) => {
    expect(likes(cells)).toBe(false);
  });

  it('of two words or more is text at any size if no cell repeats, and none if each comes twice', () => {
    const phrase = fc
      .array(fc.constantFrom('free', 'money', 'now', 'lunch', 'ok', 'lol', 'at', 'noon'), {
        minLength: 2,
        maxLength: 5,
      })
      .map((words) => words.join(' '));
    forAll(fc.uniqueArray(phrase, { minLength: 2, maxLength: 19 }), (cells) => {
      expect(likes(cells)).toBe(true);
      expect(likes([...cells, ...cells])).toBe(false);
    });
  });
});
