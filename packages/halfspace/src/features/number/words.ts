/**
 * Returns what spellings of a word beside a number have in common: `kg`, `KG` and `Kg.`, `sq. ft.` and `sq ft`, `year`,
 * `years` and `yrs`. Letters of one sign, and two that begin with an m, keep their case: mW is no MW.
 */
export function wordKey(text: string): string {
  const bare = text.replace(/[.\s]/g, '') || text;
  if (bare.length === 1 || /^m.$/i.test(bare)) return bare;
  const single = bare
    .toLowerCase()
    .replace(/(?<=ch|sh|x)es$/, '')
    .replace(/(?<=\p{L}[^s\P{L}])s$/u, '');
  return short.get(single) ?? single;
}

const short: ReadonlyMap<string, string> = new Map([
  ['sec', 'second'],
  ['min', 'minute'],
  ['hr', 'hour'],
  ['wk', 'week'],
  ['mth', 'month'],
  ['yr', 'year'],
  ['lb', 'pound'],
]);

/** Words that always multiply a number, by key. */
const factors: ReadonlyMap<string, number> = new Map([
  ...['K', 'k', 'thousand', 'tsd', 'tausend', '千'].map((word) => [word, 1e3] as const),
  ...['万', '萬', '만'].map((word) => [word, 1e4] as const),
  ...['lakh', 'lac'].map((word) => [word, 1e5] as const),
  ...['M', 'mn', 'Mn', 'MN', 'mio', 'mln', 'million', 'millionen'].map((word) => [word, 1e6] as const),
  ...['cr', 'crore'].map((word) => [word, 1e7] as const),
  ...['億', '亿', '억'].map((word) => [word, 1e8] as const),
  ...['B', 'bn', 'mrd', 'mia', 'billion', 'milliarde', 'milliarden'].map((word) => [word, 1e9] as const),
  ...['tn', 'trillion', '兆'].map((word) => [word, 1e12] as const),
]);

export function isFactor(key: string): boolean {
  return factors.has(key);
}

/** Returns by what a word multiplies a number; undefined: it does not. */
export function factorOf(key: string): number | undefined {
  return factors.get(key);
}
