import { type NumberWord, scaleEnd } from '../features/number/notation.ts';
import { factorOf, wordKey } from '../features/number/words.ts';

/** Returns the keys of words, which are made when a column has quantities. */
function keysOf(words: string): Pick<ReadonlySet<string>, 'has'> {
  let keys: ReadonlySet<string> | null = null;
  return {
    has(key) {
      keys ??= new Set(words.split(' ').map(wordKey));
      return keys.has(key);
    },
  };
}

/** Currencies by code or name, which may stand before the number. */
const currencies = keysOf(
  'USD EUR GBP JPY CNY RMB CHF CAD AUD NZD HKD SGD INR BRL MXN ZAR KRW TRY PLN CZK HUF RON BGN UAH RUB SEK NOK DKK ISK ILS AED SAR THB IDR MYR PHP VND ARS CLP COP PEN EGP NGN KES PKR BDT LKR kr zł Kč Ft lei Rs Fr SFr Rp RM Rbl руб',
);
const currencySign = /^(?:[A-Z]{0,3}\p{Sc}|\p{Sc}[A-Z]{2,3})$/u;
/** Units of measure that stand behind the number, also without a blank. */
const measures = keysOf(
  'g kg mg µg μg ug t lb oz st ct l L ml mL cl dl µl gal qt pt m mm cm dm km mi mile ft in inch yd nm µm ms s sec min h hr hrs d day wk week mo month y yr year byte kB MB mb GB TB bit kbps Mbps Gbps Hz kHz MHz GHz W kW MW kWh MWh Wh V mV kV mA Ah mAh Ω ohm hp bhp ps PS cc ccm cbm Nm kJ cal kcal Pa kPa hPa MPa bar mbar psi atm mmHg rpm mpg kmpl kmph kph mph fps mp MP px dpi ppi pts dB dBm lm lx cd mol mmol ppm ppb U IU bpm x pc pcs pct sqft sqm sqmi ha acre ac m2 km2 cm2 m3 cm3 ft2 ft3 m² km² m³ cm³ 円 元 年 歳 岁 人 100km',
);
/** Clock times, ordinals and eras are no quantities. */
const noUnits = keysOf('am pm a.m. p.m. st nd rd th bc ad ce uhr');

/** Words that multiply a number only beside others of their family, and are units alone. */
const letters: ReadonlyMap<string, number> = new Map([
  ['m', 1e6],
  ['b', 1e9],
  ['G', 1e9],
  ['T', 1e12],
]);
const bytes: ReadonlyMap<string, number> = new Map(
  ['k', 'm', 'g', 't', 'p'].flatMap((letter, k) => [
    [`${letter}b`, [1e3, 1e6, 1e9, 1e12, 1e15][k]!] as const,
    [`${letter}ib`, [2 ** 10, 2 ** 20, 2 ** 30, 2 ** 40, 2 ** 50][k]!] as const,
  ]),
);

/** Returns the words that multiply a number, by key, in a column with these words beside its numbers. */
export function factorsAmong(words: Iterable<NumberWord>): Map<string, number> {
  const found = new Map<string, number>();
  const open = { letters: new Map<string, number>(), bytes: new Map<string, number>() };
  const all = new Set<string>();
  for (const { key, role } of words) {
    all.add(key);
    if (role === 'factor') found.set(key, factorOf(key)!);
    else if (letters.has(key)) open.letters.set(key, letters.get(key)!);
    else if (bytes.has(key.toLowerCase())) open.bytes.set(key, bytes.get(key.toLowerCase())!);
  }
  // Debit and credit, not crore.
  if (all.has(wordKey('DR'))) found.delete(wordKey('CR'));
  if (found.size > 0) for (const [key, factor] of open.letters) found.set(key, factor);
  if (new Set(open.bytes.values()).size > 1) for (const [key, factor] of open.bytes) found.set(key, factor);
  return found;
}

/** Facts about the numbers beside a unit. */
interface UnitEvidence {
  /** Number of different numbers, at most 2. */
  readonly different: number;
  /** True if some has a fraction or groups of digits. */
  readonly isMeasured: boolean;
  /** True if some begins with a needless 0. */
  readonly hasZeros: boolean;
  /** Number of digits of all of them; −1: it differs. */
  readonly width: number;
}

/**
 * Tests if the words beside numbers are units. An unknown word is one if it stands behind the numbers, and these look
 * like no codes: they vary, none begins with a 0, and they are not all of the same length. A word before the numbers,
 * such as `Room 12` or `v1.2`, makes a name of them.
 */
export function areUnits(words: readonly NumberWord[], evidence: UnitEvidence): boolean {
  return words.every((word) => isKnown(word) || isLikely(word, evidence));
}

function isKnown({ text, key, isBefore }: NumberWord): boolean {
  if (currencies.has(key) || currencySign.test(text) || /^[^\p{L}\p{N}]+$|^°/u.test(text)) return true;
  if (isBefore) return false;
  return (
    scaleEnd.test(text) ||
    /^(?:\/|per )/.test(text) ||
    key.split('/').every((each) => measures.has(each) || currencies.has(each))
  );
}

function isLikely(
  { text, key, isBefore, isApart }: NumberWord,
  { different, isMeasured, hasZeros, width }: UnitEvidence,
): boolean {
  if (different < 2 || hasZeros || (width > 4 && !isMeasured) || noUnits.has(key)) return false;
  if (isBefore) return /[:=]$/.test(text);
  if (text.length > 24 || text.split(' ').length > 3) return false;
  return isApart || isMeasured || /^\p{Ll}{2}/u.test(text);
}
