import { type CorpusColumn, categories, type NastyTable, numbers, sets, tablesOf, texts, words } from './table.ts';

const { tableOf } = tablesOf('sets');

/** A list of whole numbers that looks random, always the same. */
function drawn(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  });
}

/** Draws sets of some names: in the order of the names, or in the order in which they were chosen. */
function picks(names: readonly string[], rows: number, { chance = 3, isOrdered = true, seed = 1 } = {}): string[][] {
  const numbers = drawn(rows * names.length * 2, seed);
  return Array.from({ length: rows }, (_, i) => {
    const own = names.filter((_, n) => numbers[i * names.length + n]! % chance === 0);
    const order = (name: string) => numbers[rows * names.length + i * names.length + names.indexOf(name)]!;
    return isOrdered ? own : own.sort((a, b) => order(a) - order(b));
  });
}

/** Returns an item of a list for each of some rows. */
function chosen<T>(items: readonly T[], rows: number, seed: number): T[] {
  return drawn(rows, seed).map((number) => items[number % items.length]!);
}

const by = (mark: string) => (values: readonly string[]) => values.join(mark);
const languages = ['Python', 'JavaScript', 'C++', 'C#', 'SQL', 'Rust', 'HTML/CSS', 'R', 'Bash/Shell', 'Go'];
const genres = ['Action', 'Comedy', 'Drama', 'Horror', 'Sci-Fi', 'Thriller'];
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const symptoms = ['fever', 'dry cough', 'sore throat', 'headache', 'loss of smell', 'fatigue'];
const symbols = ['a', 'b', 'c', 'd'];
const codes = ['1', '2', '3', '4', '5', '6'];
const cities = ['São Paulo', 'Zürich', 'Kraków', "L'Aquila", 'Saint-Denis', 'Malmö'];
const 色 = ['赤', '青', '緑', '黄', '黒', '白'];
const emoji = ['😀', '😢', '🎉', '🐍', '🔥'];
const quotes = (mark: string, open: string, close: string) => (values: readonly string[]) =>
  `${open}${values.map((value) => (mark === "'" && value.includes("'") ? `"${value}"` : `${mark}${value}${mark}`)).join(', ')}${close}`;

const one = (name: string, column: CorpusColumn, delimiter?: string) =>
  tableOf(name, [column], delimiter === undefined ? {} : { delimiter });
/** A table with a column of sets. */
const some = (
  name: string,
  column: string,
  rows: readonly (readonly string[])[],
  write: (values: readonly string[]) => string,
  delimiter?: string,
) => one(name, sets(column, rows, write), delimiter);

const positives: readonly NastyTable[] = [
  ...[';', '|', ',', ', ', '; ', ' | ', ' / ', ' ;  ', '\n', '、', '；', '，'].map((mark) =>
    some(`languages with ${JSON.stringify(mark)}`, 'langs', picks(languages, 120), by(mark)),
  ),
  some('languages with blanks, in the order of a form', 'langs', picks(languages, 200), by(' ')),
  some('languages with slashes', 'genres', picks(genres, 120), by('/')),
  some('languages with semicolons in a table of semicolons', 'langs', picks(languages, 120), by(';'), ';'),
  some('languages with commas in a table of tabs', 'langs', picks(languages, 120), by(', '), '\t'),
  ...[12, 20, 30, 60].map((rows) =>
    some(`letters in ${rows} rows`, 'tags', picks(symbols, rows, { chance: 2, seed: 3 }), by(';')),
  ),
  ...[';', ',', '|', ', '].map((mark) =>
    some(
      `genres in any order with ${JSON.stringify(mark)}`,
      'genre',
      picks(genres, 150, { isOrdered: false }),
      by(mark),
    ),
  ),
  some('JSON lists', 'langs', picks(languages, 120), JSON.stringify),
  some('JSON lists with blanks', 'langs', picks(languages, 120), quotes('"', '[', ']')),
  some('JSON lists of few', 'langs', picks(symbols, 40, { chance: 2 }), JSON.stringify),
  some('lists of Python', 'langs', picks(languages, 120), quotes("'", '[', ']')),
  some('lists of Python with quotes inside', 'city', picks(cities, 120), quotes("'", '[', ']')),
  some('sets of Python', 'langs', picks(languages, 120), quotes("'", '{', '}')),
  some('arrays of PostgreSQL', 'genre', picks(genres, 120), (values) => `{${values.join(',')}}`),
  some(
    'arrays of PostgreSQL with quotes',
    'symptoms',
    picks(symptoms, 120),
    (values) => `{${values.map((value) => (value.includes(' ') ? `"${value}"` : value)).join(',')}}`,
  ),
  some('lists without quotes', 'genre', picks(genres, 120), (values) => `[${values.join(', ')}]`),
  some('symptoms of several words', 'symptoms', picks(symptoms, 120), by(', ')),
  some('symptoms of several words, semicolons', 'symptoms', picks(symptoms, 120, { isOrdered: false }), by(';')),
  some('days of the week', 'open', picks(days, 120, { chance: 2 }), by(',')),
  some('days of the week, bars', 'open', picks(days, 60, { chance: 2 }), by('|')),
  some('answers of a form by number, commas', 'q4', picks(codes, 150), by(',')),
  some('answers of a form by number, semicolons', 'q4', picks(codes, 150), by(';')),
  some('answers of a form by number, bars', 'q4', picks(codes, 150), by('|')),
  some('cities with accents', 'city', picks(cities, 120), by(';')),
  some('Japanese words', '色', picks(色, 120), by('、')),
  some('Japanese words with bars', '色', picks(色, 120), by('|')),
  some('emoji', 'mood', picks(emoji, 120), by(', ')),
  some('two answers, or both', 'by', picks(['email', 'phone', 'post'], 60, { chance: 2 }), by(', ').bind(null)),
  some(
    'two choices each',
    'top',
    chosen(['a;b', 'b;c', 'c;a', 'd;a', 'b;d', 'c;d'], 60, 5).map((cell) => cell.split(';')),
    by(';'),
  ),
  one('repeated and empty values', {
    ...sets('langs', picks(languages, 120), by(';')),
    cells: picks(languages, 120).map((values) => (values.length === 0 ? '' : `${values.join(' ; ')};`)),
  }),
  some('a mark at the end of each cell', 'genre', picks(genres, 120), (values) =>
    values.map((value) => `${value};`).join(''),
  ),
  some(
    'tags with colons',
    'tags',
    picks(
      genres.map((genre) => `genre:${genre}`),
      120,
    ),
    by(','),
  ),
  some(
    'hash tags',
    'tags',
    picks(
      genres.map((genre) => `#${genre}`),
      120,
    ),
    by(', '),
  ),
  some(
    'names of settings',
    'flags',
    picks(['size=L', 'colour=red', 'gift=yes', 'wrap=no', 'express=yes'], 120),
    by(';'),
  ),
  some(
    'long tail of tags',
    'tags',
    picks(genres, 200)
      .map((values, i) => (i % 4 === 0 ? [...values, `once${i}`].slice(-3) : values))
      .map((values) => values.filter((value) => !value.startsWith('once'))),
    by(';'),
  ),
  some('mostly one value', 'genre', picks(genres, 300, { chance: 6 }), by('|')),
  tableOf('two columns of sets', [
    sets('langs', picks(languages, 120), by(';')),
    sets('genre', picks(genres, 120, { seed: 9 }), by(', ')),
    numbers(
      'age',
      drawn(120, 4).map((number) => String(20 + (number % 40))),
    ),
  ]),
];

const first = ['Anna', 'Ben', 'Carla', 'David', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const last = ['Smith', 'Müller', 'García', 'Okafor', 'Rossi', 'Tanaka', 'Novak', 'Silva', 'Larsen', 'Haddad'];
const streets = ['Main St', 'Oak Ave', 'Hill Rd', 'Park Lane', 'Mill St'];
const towns = ['Springfield, IL', 'Austin, TX', 'Denver, CO', 'Boston, MA', 'Salem, OR', 'Dallas, TX'];
const sentences = [
  'fast, friendly, and cheap',
  'the room was small, but clean',
  'we came back; the staff knew us',
  'no parking, no lift, no breakfast',
  'good value, good food, bad coffee',
  'quiet, near the station',
  'rude staff; dirty room; never again',
  'nice view, comfortable bed',
  'too loud, too hot, too dear',
  'clean rooms, friendly staff',
  'breakfast was cold, staff was rude',
  'great location, small bath',
];
const paired = <T>(rows: number, make: (a: number, b: number, c: number) => T): T[] => {
  const numbers = drawn(rows * 3, 7);
  return Array.from({ length: rows }, (_, i) => make(numbers[i]!, numbers[rows + i]!, numbers[2 * rows + i]!));
};
const of = <T>(items: readonly T[], number: number) => items[number % items.length]!;
/** A table with a column of words that are no sets. */
const phrases = (name: string, column: string, rows: number, make: (a: number, b: number, c: number) => string) =>
  one(name, words(column, paired(rows, make)));

const negatives: readonly NastyTable[] = [
  phrases('names, the last one first', 'name', 150, (a, b) => `${of(last, a)}, ${of(first, b)}`),
  phrases(
    'names, the last one first, with initials',
    'name',
    150,
    (a, b, c) => `${of(last, a)}, ${of(first, b)} ${of(['A.', 'J.', 'M.'], c)}`,
  ),
  phrases('first and last names', 'name', 150, (a, b) => `${of(first, a)} ${of(last, b)}`),
  phrases(
    'first, middle and last names',
    'name',
    150,
    (a, b, c) => `${of(first, a)}${c % 2 === 0 ? ` ${of(first, c >> 1)}` : ''} ${of(last, b)}`,
  ),
  phrases('addresses', 'address', 150, (a, b, c) => `${1 + (c % 90)} ${of(streets, a)}, ${of(towns, b)}`),
  phrases('addresses without numbers', 'address', 150, (a, b) => `${of(streets, a)}, ${of(towns, b)}`),
  phrases('towns and states', 'town', 100, (a) => of(towns, a)),
  phrases('states, with or without a town', 'place', 100, (a, b) =>
    b % 4 === 0 ? of(towns, a).slice(-2) : of(towns, a),
  ),
  phrases('countries, regions and towns', 'place', 120, (a, b, c) =>
    ['USA', `region ${a % 3}`, `town ${a % 3}-${b % 4}`].slice(0, 1 + (c % 3)).join(' / '),
  ),
  phrases(
    'a country with its region',
    'place',
    120,
    (a, b) => `${of(['Spain', 'Italy', 'France'], a)}; ${of(['north', 'south', 'east', 'west'], b)}`,
  ),
  one('sentences with commas', texts('review', sentences)),
  phrases('sentences with commas, which repeat', 'review', 80, (a) => of(sentences, a)),
  phrases(
    'sentences of few words',
    'note',
    150,
    (a, b, c) =>
      `${of(['the', 'a', 'my'], a)} ${of(['dog', 'cat', 'cow'], b)} ${of(['sees', 'likes', 'bites'], c)} ${of(['the', 'a', 'my'], b >> 3)} ${of(['dog', 'cat', 'cow'], a >> 3)}`,
  ),
  phrases(
    'messages',
    'message',
    100,
    (a, b) =>
      `${of(['see', 'call', 'meet'], a)} ${of(['you', 'me', 'her'], b)} ${of(['soon', 'later', 'at noon'], a >> 4)}`,
  ),
  phrases(
    'file paths',
    'path',
    120,
    (a, b, c) => `/${of(['usr', 'var', 'opt'], a)}/${of(['lib', 'log', 'bin'], b)}/${of(['a', 'b', 'c', 'd'], c)}.txt`,
  ),
  phrases(
    'folders',
    'path',
    120,
    (a, b, c) =>
      `/${[of(['usr', 'var', 'opt'], a), of(['lib', 'log', 'bin'], b), of(['x', 'y'], c)].slice(0, 1 + (c % 3)).join('/')}`,
  ),
  phrases(
    'addresses of pages',
    'url',
    120,
    (a, b) => `https://example.org/${of(['shop', 'blog', 'help'], a)}/${of(['red', 'blue', 'green', 'white'], b)}`,
  ),
  phrases('types of files', 'mime', 120, (a) =>
    of(['text/html', 'text/plain', 'image/png', 'image/jpeg', 'application/json'], a),
  ),
  phrases(
    'pairs of currencies',
    'pair',
    120,
    (a, b) => `${of(['EUR', 'USD', 'GBP', 'JPY'], a)}/${of(['CHF', 'USD', 'SEK', 'EUR', 'NOK'], b)}`,
  ),
  one(
    'languages of one value',
    categories(
      'lang',
      paired(120, (a) => of(['Python', 'C++', 'C#', 'HTML/CSS', 'Bash/Shell', 'TCP/IP'], a)),
    ),
  ),
  phrases('feet and inches', 'height', 120, (a, b) => `${4 + (a % 3)} ft, ${b % 12} in`),
  phrases('ranges with slashes', 'pressure', 150, (a, b) => `${100 + 5 * (a % 12)}/${60 + 5 * (b % 8)}`),
  phrases('points', 'at', 150, (a, b) => `${(a % 90) / 10}; ${(b % 90) / 10}`),
  phrases('vectors', 'vector', 150, (a, b, c) => `${(a % 90) / 10}|${(b % 90) / 10}|${(c % 90) / 10}`),
  phrases('vectors in brackets', 'vector', 150, (a, b, c) => `[${(a % 90) / 10}, ${(b % 90) / 10}, ${(c % 90) / 10}]`),
  phrases('flags by position', 'flags', 150, (a, b, c) => `${a % 2};${b % 2};${c % 2};${(a >> 3) % 2}`),
  phrases('genes', 'gene', 150, (a, b) => `${of(['A', 'C', 'G', 'T'], a)}/${of(['A', 'C', 'G', 'T'], b)}`),
  phrases('genes with bars', 'gene', 150, (a, b) => `${a % 2}|${b % 2}`),
  phrases(
    'dates with days of the week',
    'date',
    120,
    (a, b) => `${of(days, a)}, ${of(['spring', 'summer', 'autumn'], b)}`,
  ),
  one(
    'colours with shades',
    categories(
      'colour',
      paired(120, (a) => of(['red, light', 'blue', 'green, dark', 'green, light', 'white'], a)),
    ),
  ),
  phrases(
    'sizes and colours',
    'variant',
    120,
    (a, b) => `${of(['red', 'blue', 'green', 'white'], a)}, ${of(['S', 'M', 'L', 'XL'], b)}`,
  ),
  one(
    'countries with articles',
    categories(
      'country',
      paired(120, (a) =>
        of(['Korea, Republic of', 'Congo, Republic of', 'Iran, Islamic Republic of', 'Peru', 'Chile'], a),
      ),
    ),
  ),
  one(
    'answers with degrees',
    categories(
      'answer',
      paired(120, (a) => of(['Yes, surely', 'Yes, perhaps', 'No, never', 'No', 'Perhaps'], a)),
    ),
  ),
  phrases('JSON objects', 'json', 120, (a, b) => `{"size": ${a % 9}, "colour": "${of(genres, b)}"}`),
  phrases('ranges in brackets', 'range', 120, (a) => `[${a % 9}0, ${1 + (a % 9)}0)`),
  phrases('text with entities', 'name', 120, (a, b) => `${of(first, a)} &amp; ${of(last, b)}`),
  one(
    'few sets that repeat, as many as values',
    categories(
      'tags',
      paired(60, (a) => of(['a;b', 'b;c', 'c'], a)),
    ),
  ),
  phrases(
    'titles of jobs',
    'job',
    120,
    (a, b) => `${of(['Engineer', 'Manager', 'Clerk'], a)}, ${of(['Sales', 'Finance', 'Research', 'Support'], b)}`,
  ),
  phrases('very good and not good', 'mark', 120, (a) =>
    of(['very good', 'good', 'not good', 'not very good', 'bad', 'very bad', 'not bad'], a),
  ),
  phrases('shades of colours', 'colour', 200, (a, b, c) =>
    c % 3 === 0
      ? of(['red', 'blue', 'green', 'grey'], b)
      : `${of(['dark', 'light', 'pale'], a)} ${of(['red', 'blue', 'green', 'grey'], b)}`,
  ),
  phrases('versions', 'version', 120, (a, b) => `v${a % 4}.${b % 9}`),
];

/** Several values in a cell, and cells that only look so. */
export const setTables: readonly NastyTable[] = [...positives, ...negatives];
