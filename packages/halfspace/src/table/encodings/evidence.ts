import { naturalLog } from '../../kernels/natural-log.ts';
import { type Language, languages } from './letters.ts';
import { decodeWindows1252 } from './windows-1252.ts';

/*
 * Finds the encodings that make words of bytes which are no UTF-8.
 *
 * Each encoding reads the words. A reading has a likelihood for each language that is written in the encoding: the
 * product of the probabilities of its characters. It is small for letters that the language lacks, for capitals behind
 * small letters, for two scripts in a word, and for signs in a word. Bytes without meaning have a likelihood, too. A
 * reading is sure if it is far likelier than that and than every other reading.
 */

/** A reading of the words. */
export interface Candidate {
  /** Name of the encoding for people to write. */
  readonly encoding: string;
  /** The first words with letters beyond ASCII. */
  readonly words: readonly string[];
}

interface Evidence {
  /** The likeliest first; each reads the words differently. Empty if none makes words of them. */
  readonly candidates: readonly Candidate[];
  /** True if no other reading is possible. */
  readonly sure: boolean;
}

interface Reading {
  readonly encoding: string;
  readonly text: string;
  readonly likelihood: number;
  /** Share of the words in which no language has these letters beside each other. */
  readonly broken: number;
  readonly isLatin: boolean;
}

/** Natural logarithms of probabilities. */
const ascii = -4.2;
const noise = -4.6;
const sign = -7;
const stranger = -12;
const broken = -6;
const mixed = -12;
const space = -5;
/** A reading is sure if it is e^12 times as likely as any other; one that is so much less likely is not told. */
const far = 12;
/** Text that was decoded wrongly once and saved again has more such words, whatever reads it. */
const mostBroken = 0.4;

/** Number of different words that are examined, and of readings and words that are told. */
const mostWords = 500;
const mostCandidates = 3;
const mostSamples = 3;

/** Returns the encodings in which bytes are text. @param bytes text in some superset of ASCII, but not UTF-8. */
export function evidenceOf(bytes: Uint8Array): Evidence {
  const words = wordsOf(bytes);
  const readings = readingsOf(words);
  const strange = words.reduce((sum, byte) => sum + (byte < 0x80 ? (byte === 10 ? 0 : ascii) : noise), 0);
  const [best] = readings;
  if (best === undefined || best.likelihood < strange - 2 * far || best.broken > mostBroken)
    return { candidates: [], sure: false };
  const different: Reading[] = [];
  for (const each of readings)
    if (each.broken <= mostBroken && different.every(({ text }) => text !== each.text)) different.push(each);
  const next = different[1]?.likelihood ?? Number.NEGATIVE_INFINITY;
  const isFar = best.likelihood - Math.max(next, strange) > far;
  // A letter without a word around it does not tell the others.
  const most = /\p{L}{3}/u.test(best.text) ? mostCandidates : 1;
  const likely = different.filter(({ likelihood }) => best.likelihood - likelihood < far).slice(0, most);
  return {
    candidates: likely.map(({ encoding, text }) => ({ encoding: labelOf(encoding, words), words: samplesOf(text) })),
    sure: isFar && !best.isLatin,
  };
}

/** Returns the different words that have bytes beyond ASCII, each with a line end behind it. */
function wordsOf(bytes: Uint8Array): Uint8Array {
  const seen = new Set<string>();
  const words: number[] = [];
  let from = 0;
  for (let p = 0; p < bytes.length && seen.size < mostWords; p++) {
    const byte = bytes[p]!;
    // No encoding has such a byte in a character, but for digits.
    if (byte >= 0x40 || (byte >= 0x30 && byte < 0x3a)) continue;
    const word = bytes.subarray(from, p);
    from = p + 1;
    if (!word.some((each) => each >= 0x80)) continue;
    const key = word.join();
    if (seen.has(key)) continue;
    seen.add(key);
    words.push(...word, 10);
  }
  return Uint8Array.from(words);
}

/** Returns the readings of words by all encodings, the likeliest first. */
function readingsOf(words: Uint8Array): Reading[] {
  const best = new Map<string, Reading>();
  const texts = new Map<string, string | null>();
  languages.forEach((language, order) => {
    const letters = logarithms(language);
    language.encodings.forEach((encoding, rank) => {
      if (!texts.has(encoding)) texts.set(encoding, decoded(words, encoding));
      const text = texts.get(encoding)!;
      if (text === null) return;
      const judged = judgedIn(text, language, letters);
      const likelihood = judged.likelihood - 0.5 * rank - 0.05 * order - (isLatin(language) ? 0 : 4);
      if (likelihood > (best.get(encoding)?.likelihood ?? Number.NEGATIVE_INFINITY))
        best.set(encoding, { encoding, text, likelihood, broken: judged.broken, isLatin: isLatin(language) });
    });
  });
  return [...best.values()].sort((a, b) => b.likelihood - a.likelihood);
}

function decoded(words: Uint8Array, encoding: string): string | null {
  try {
    const isWestern = encoding === 'windows-1252';
    const text = isWestern ? decodeWindows1252(words) : new TextDecoder(encoding, { fatal: true }).decode(words);
    return /[\x80-\x9F\p{Co}\p{Cn}\uFFFD]/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

const isLatin = ({ others }: Language) => others === 100;

/** Returns the logarithms of the probabilities of a language's letters: Zipf's law by rank. */
function logarithms(language: Language): ReadonlyMap<string, number> {
  const letters = [...language.letters];
  if (isLatin(language)) return new Map(letters.map((letter) => [letter, -naturalLog(letters.length / 0.15)]));
  const start = letters.length < 100 ? 2 : 20;
  const sum = letters.reduce((total, _, rank) => total + 1 / (rank + start), 0);
  return new Map(letters.map((letter, rank) => [letter, -naturalLog((sum * (rank + start)) / language.share)]));
}

type Shape = 'none' | 'ascii' | 'ASCII' | 'small' | 'large' | 'sign';

/** Returns the logarithm of the likelihood of words in a language, and the share of those that are none in any. */
function judgedIn(
  text: string,
  language: Language,
  letters: ReadonlyMap<string, number>,
): Pick<Reading, 'likelihood' | 'broken'> {
  const rest = -naturalLog(language.others / (1 - language.share));
  const latin = isLatin(language);
  let sum = 0;
  let [words, brokenWords] = [0, 0];
  let isBroken = false;
  const breakWord = (cost: number) => {
    sum += cost;
    isBroken = true;
  };
  let before: Shape = 'none';
  let previous = '';
  for (const character of text) {
    const last = previous;
    previous = character;
    if (character <= '\x7F') {
      const isLetter = /[A-Za-z]/.test(character);
      if (character !== '\n') sum += ascii;
      else {
        words++;
        if (isBroken) brokenWords++;
        isBroken = false;
      }
      if (isLetter && before === 'sign') breakWord(broken);
      if (isLetter && !latin && (before === 'small' || before === 'large')) breakWord(mixed);
      before = !isLetter ? 'none' : character < 'a' ? 'ASCII' : 'ascii';
      continue;
    }
    if (character === '\xA0') {
      sum += space;
      before = 'none';
      continue;
    }
    const small = character.toLowerCase();
    const isMark = /\p{M}/u.test(character);
    const isLetter = isMark || letters.has(small) || language.script.test(character);
    if (!isLetter) {
      sum += usualSigns.includes(character) ? sign : stranger;
      // An apostrophe may stand in a word.
      if (before !== 'none' && character !== '’') before = 'sign';
      continue;
    }
    const shape: Shape = small === character ? 'small' : 'large';
    sum += letters.get(small) ?? rest;
    if (shape === 'large' && (before === 'small' || before === 'ascii')) breakWord(broken);
    else if (shape === 'large') sum -= 1;
    if (before === 'sign') breakWord(broken);
    if (!latin && (before === 'ascii' || before === 'ASCII')) breakWord(mixed);
    if (latin && (before === 'small' || before === 'large')) sum -= 3;
    if (latin && isMark && !vowels.test(last)) breakWord(broken);
    before = shape;
  }
  return { likelihood: sum, broken: brokenWords / Math.max(1, words) };
}

const vowels = /[aeiouyăâêôơư]/i;
const usualSigns = '°£€§©®²³µ·«»„“”‚‘’–—…•¿¡½¼¾×±ªº№';

/** Returns the name by which people know an encoding. */
function labelOf(encoding: string, words: Uint8Array): string {
  return encoding === 'windows-1252' && !words.some((byte) => byte >= 0x80 && byte < 0xa0) ? 'latin1' : encoding;
}

function samplesOf(text: string): string[] {
  const words = text.split('\n').filter((word) => word !== '');
  const whole = words.filter((word) => /\p{L}/u.test(word));
  return (whole.length > 0 ? whole : words).slice(0, mostSamples);
}

/** Returns the encoding of bytes with zeros in every character; null: they are no such text. */
export function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | null {
  const some = bytes.subarray(0, 4000);
  const zeros = [0, 0, 0, 0];
  some.forEach((byte, i) => {
    if (byte === 0) zeros[i % 4]!++;
  });
  const most = some.length / 4;
  const [a, b, c, d] = zeros.map((count) => count / most) as [number, number, number, number];
  if (a > 0.99 && b > 0.9 && d < 0.1) return 'utf-32be';
  if (d > 0.99 && c > 0.9 && a < 0.1) return 'utf-32le';
  const shares = (['utf-16le', 'utf-16be'] as const).map((encoding) => [plainShare(some, encoding), encoding] as const);
  const [[more, encoding], [less]] = shares.sort(([x], [y]) => y - x) as [(typeof shares)[0], (typeof shares)[0]];
  return more > 0.1 && less < more / 4 ? encoding : null;
}

/** Returns the share of characters of ASCII in text; 0 if it has controls or wrong pairs. */
function plainShare(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  let plain = 0;
  for (const character of text.slice(0, -1)) {
    const isPlain = /[\t\n\r -~]/.test(character);
    if (!isPlain && /[\p{Cc}\p{Co}\uFFFD\uFFFE\uFFFF]/u.test(character)) return 0;
    if (isPlain) plain++;
  }
  return plain / Math.max(1, text.length);
}
