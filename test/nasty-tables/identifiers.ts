import {
  type CorpusColumn,
  categories,
  cellsOf,
  dates,
  type NastyTable,
  numbers,
  tablesOf,
  texts,
  useless,
} from './table.ts';

const { tableOf } = tablesOf('identifiers');
const rows = 60;
const of = (name: string, column: CorpusColumn, note?: RegExp): NastyTable =>
  tableOf(name, [column], note === undefined ? {} : { note });
const spread = (value: (k: number) => string | number, count = rows) =>
  Array.from({ length: count }, (_, k) => String(value(k)));
/** Whole numbers or words that only name the rows. */
const left = (name: string, column: string, value: (k: number) => string | number) =>
  of(name, useless(column, spread(value), 'identifier'));
/** Numbers that are measurements. */
const kept = (name: string, column: string, value: (k: number) => number) => of(name, numbers(column, spread(value)));
/** A permutation of 0 to 59. */
const shuffled = (k: number) => (k * 37) % rows;
/** Different whole numbers of six digits, in no order. */
const sixDigits = (k: number) => 100_000 + ((k * 77_773) % 899_983);
/** The labels of tables of the corpus, in this order. */
const isA = (k: number) => 'abbabaabbaabbbaababa'[k % 20] === 'a';

/** Names that say that whole numbers name the rows, if these do not repeat. */
const naming = cellsOf(
  'CLIENTNUM|EmployeeNumber|employee_number|policy_number|account_no|AccountNumber|ssn|patient_nbr|' +
    'SK_ID_CURR|msisdn|Unique Key|tweet_id|PassengerId|IDpol|id_student|ID_code|userid|memberID|S.No|Sr. No.|' +
    'Emp No|Phone Number|Sample code number|kundennr|matricula|barcode|No.|key',
);
/** Names of measurements and of counts, some of which look like the ones above. */
const measuring = cellsOf(
  'number_of_rooms|num_pages|NumberOfDependents|paid|unpaid|id_count|grid|humid|price|salary|median_income|' +
    'index_price|total_no|weight no|liquid|platinum|hybrid|monkey',
);

const byValue: readonly NastyTable[] = [
  left('one number of a customer twice', 'customer_id', (k) => sixDigits(Math.min(k, 58))),
  left('one code of a customer twice', 'customer_id', (k) => `C${sixDigits(Math.min(k, 58))}`),
  left('long numbers that doubles cannot tell apart', 'ref', (k) => `5703061336777605${10 + k}`),
  left('long numbers with a wide step', 'x', (k) => `${570_306_133_677_760_513n + 7919n * BigInt(k)}`),
  left('an index in no order, without a name', 'Unnamed: 0', shuffled),
  left('an index with gaps', 'Unnamed: 0', (k) => 3 * k + (k % 2)),
  left('an index that begins anew with each part', 'index', (k) => k % 20),
  left('an index sorted by the class', 'Nr', (k) => (isA(k) ? 100 : 400) + k),
  left('counts in no order, under any name', 'x', (k) => 1 + shuffled(k)),
  left('counts that begin with many digits', 'x', (k) => 7_000_000 + k),
  left('numbers of accounts, all of ten digits', 'konto', (k) => 4_000_000_000 + k * 98_765_431),
  left('codes of a letter and digits', 'x', (k) => `C${355_000 + 811 * k}`),
  left('codes with hyphens', 'x', (k) => `DE-${4000 + 7 * k}-A`),
  left('hexadecimal hashes', 'x', (k) => `9f${(0x86d081 + k * 65_537).toString(16)}ab`),
  of(
    'two equal long numbers by turns are no constant',
    categories(
      'x',
      spread((k) => `57030613367776051${k % 2}`),
    ),
  ),
  kept('years that rise by one', 'year', (k) => 1950 + k),
  kept('years that rise by one, under another name', 'x', (k) => 1950 + k),
  kept('seconds since 1970', 'x', (k) => 1_577_836_800 + 3600 * k),
  kept('milliseconds since 1970', 'x', (k) => 1_577_836_800_123 + 77_777 * k),
  kept('seconds with decimals', 'x', (k) => 1_577_836_800.25 + 60 * k),
  kept('whole prices, all different', 'x', (k) => 20_000 + ((k * 7919) % 79_999)),
  kept('rounded amounts of many digits', 'x', (k) => 120_000_000 + 1000 * k),
  kept('numbers of people, all different', 'population', (k) => 100_000_000 + ((k * 77_777_777) % 899_999_999)),
  kept('weights with decimals, all different', 'weight', (k) => 70 + k / 8),
  kept('sizes over several magnitudes', 'x', (k) => 3 * 2 ** Math.floor(k / 2) + k),
  kept('numbers below 0', 'x', (k) => k - 30),
  kept('a rank in no order', 'rank', (k) => 1 + shuffled(k)),
  kept('an id that repeats', 'store_id', (k) => 1000 + (k % 17)),
  kept('an index of prices', 'index', (k) => 4000.5 + ((k * 37) % 71)),
];

const leaking: readonly NastyTable[] = [
  of(
    'a leak with one wrong cell',
    categories(
      'status',
      spread((k) => (isA(k) !== (k === 7) ? 'closed' : 'open')),
    ),
    /status alone gives the class of 59 of 60/,
  ),
  of(
    'a leak of numbers with one wrong cell',
    numbers(
      'score',
      spread((k) => (isA(k) !== (k === 7) ? 50 : 0) + (k % 30) + 0.5),
    ),
    /score alone/,
  ),
  of(
    'a column filled for one class only',
    categories(
      'reason',
      spread((k) => (isA(k) && k % 3 > 0 ? ['late', 'rude'][k % 2]! : '')),
    ),
    /reason is filled only for the class a/,
  ),
  of(
    'a date filled for one class only',
    dates(
      'closed',
      spread((k) => (isA(k) ? `2024-03-${10 + (k % 20)}` : '')),
      spread((k) => (isA(k) ? `2024-03-${10 + (k % 20)}` : '')).join('|'),
    ),
    /closed alone/,
  ),
  of(
    'a text with a word for the class',
    texts(
      'note',
      spread((k) => `the customer ${isA(k) ? 'left us' : 'is happy'} on day ${k} of ${(k * 31) % 97} weeks`),
    ),
    /note alone/,
  ),
  of(
    'a copy of the label in other letters',
    categories(
      'copy',
      spread((k) => (isA(k) ? 'A' : 'B')),
    ),
    /copy alone/,
  ),
];

/** Columns that name the rows, by name and by value; measurements that only look so; and columns that give the class away. */
export const identifierTables: readonly NastyTable[] = [
  ...naming.map((name) => left(`whole numbers under ${name}`, name, sixDigits)),
  ...measuring.map((name) => kept(`whole numbers under ${name}`, name, sixDigits)),
  ...byValue,
  ...leaking,
];
