import {
  type CorpusColumn,
  categories,
  type NastyTable,
  numbers,
  type TableOptions,
  tablesOf,
  useless,
} from './table.ts';

const { tableOf } = tablesOf('identities');
const of = (name: string, column: CorpusColumn, options?: TableOptions): NastyTable => tableOf(name, [column], options);

const counted = (count: number, from: number, step = 1) =>
  Array.from({ length: count }, (_, i) => String(from + i * step));
const uuid = (k: number) => {
  const hex = (n: number, width: number) => (Math.imul(k + 1, n) >>> 0).toString(16).padStart(8, '0').slice(0, width);
  return `${hex(2654435761, 8)}-${hex(40503, 4)}-4${hex(69069, 3)}-a${hex(1103515245, 3)}-${hex(22695477, 8)}${hex(97, 4)}`;
};
const words = (count: number, of: (k: number) => string) => Array.from({ length: count }, (_, k) => of(k));

/** Columns that name the rows: of no use, because another row has another value. And codes that only look so. */
export const identityTables: readonly NastyTable[] = [
  of('row numbers from 1 without a name', useless('id', counted(12, 1), 'running-number', 'identifier')),
  of('an index from 0 that pandas wrote', useless('Unnamed: 0', counted(12, 0), 'running-number', 'identifier')),
  of('running numbers under another name', useless('sample', counted(24, 1), 'running-number', 'identifier')),
  of('order numbers that rise by one', useless('order_id', counted(12, 10_001), 'running-number', 'identifier')),
  of('order numbers that rise with gaps', useless('order_id', counted(12, 10_001, 7), 'running-number', 'identifier')),
  of(
    'customer numbers in no order',
    useless('customerId', '48213 | 10932 | 77120 | 30019 | 58821 | 90311 | 22456 | 61190', 'identifier'),
  ),
  of(
    'ids with a letter',
    useless(
      'user_id',
      words(12, (k) => `U${1000 + ((k * 37) % 100)}`),
      'identifier',
      'all-different',
    ),
  ),
  of('uuids', useless('uuid', words(60, uuid), 'identifier', 'all-different')),
  of('uuids under another name', useless('session', words(60, uuid), 'identifier', 'all-different')),
  of(
    'names of persons, all different',
    useless(
      'passenger',
      words(60, (k) => `Person${String.fromCharCode(65 + (k % 26), 97 + Math.floor(k / 26))}`),
      'all-different',
      'identifier',
    ),
  ),
  of(
    'zip codes with leading zeros',
    categories('zip', '01234 | 90210 | 01234 | 02139 | 90210 | 02139 | 10001 | 10001'),
  ),
  of('product codes with leading zeros', categories('code', '007 | 042 | 007 | 113 | 042 | 113 | 007 | 042')),
  of('telephone prefixes', categories('prefix', '030 | 089 | 040 | 030 | 089 | 040 | 030 | 089')),
  of('zeros before points are numbers', numbers('x', '0.5 | 0.25 | 0.125 | 0.75 | 0.0 | 0.875')),
  of('zeros alone are numbers', numbers('x', '0 | 3 | 0 | 12 | 5 | 0 | 7 | 1')),
  of(
    'telephone numbers',
    useless(
      'phone',
      words(60, (k) => `+1-555-${100 + ((k * 7) % 900)}-${1000 + ((k * 137) % 9000)}`),
      'all-different',
      'identifier',
    ),
  ),
  of(
    'hashes',
    useless(
      'hash',
      words(60, (k) => uuid(k).replaceAll('-', '')),
      'all-different',
      'identifier',
    ),
  ),
  of(
    'addresses of mail',
    useless(
      'email',
      words(60, (k) => `user${(k * 37) % 1000}@example.com`),
      'all-different',
      'identifier',
    ),
  ),
  of('counts that happen to rise are numbers', numbers('count', '1 | 2 | 4 | 7 | 11 | 16 | 22 | 29')),
  of('days of a series are numbers', numbers('temperature', '1 | 2 | 3 | 4 | 6 | 5 | 4 | 3 | 2 | 1 | 2 | 3')),
  of(
    'an id that repeats is a category or a number, not left out',
    numbers('store_id', '3 | 17 | 3 | 5 | 17 | 5 | 3 | 17'),
  ),
  of('a paid amount is no id', numbers('paid', '48 | 10 | 77 | 30 | 58 | 90 | 22 | 61')),
  of(
    'a column that repeats the label, which is named as a leak',
    categories('outcome', 'a | b | b | a | b | a | a | b | b | a | a | b | b | b | a | a | b | a | b | a'),
    {
      note: /outcome/,
    },
  ),
  of(
    'a column of codes that determines the label',
    numbers('code', '1 | 0 | 0 | 1 | 0 | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 1 | 0 | 1 | 0 | 1'),
    { note: /code/ },
  ),
  of(
    'a column with one value',
    useless(
      'country',
      words(12, () => 'DE'),
      'constant',
    ),
  ),
  of(
    'a column with one number',
    useless(
      'version',
      words(12, () => '3'),
      'constant',
    ),
  ),
  of(
    'a column of blanks',
    useless(
      'remark',
      words(12, (k) => ' '.repeat(k % 3)),
      'empty',
    ),
  ),
  of(
    'a column of words for missing',
    useless(
      'remark',
      words(12, (k) => ['NA', '', 'NULL'][k % 3]!),
      'empty',
    ),
  ),
  of('a value that is missing or the same', categories('flag', 'x | | x | | x | x | | x')),
];
