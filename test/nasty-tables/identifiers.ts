import { type CorpusColumn, categories, dates, type NastyTable, numbers, tableOf, texts, useless } from './table.ts';

const family = 'identifiers';
const rows = 60;
const of = (name: string, column: CorpusColumn, note?: RegExp): NastyTable =>
  tableOf(family, name, [column], note === undefined ? {} : { note });
const spread = (value: (k: number) => string | number, count = rows) =>
  Array.from({ length: count }, (_, k) => String(value(k)));
/** A permutation of 0 to 59. */
const shuffled = (k: number) => (k * 37) % rows;
/** Different whole numbers of six digits, in no order. */
const sixDigits = (k: number) => 100_000 + ((k * 77_773) % 899_983);
/** The labels of tables of the corpus, in this order. */
const isA = (k: number) => 'abbabaabbaabbbaababa'[k % 20] === 'a';

/** Names that say that whole numbers name the rows, if these do not repeat. */
const naming = [
  ...[
    'CLIENTNUM',
    'EmployeeNumber',
    'employee_number',
    'policy_number',
    'account_no',
    'AccountNumber',
    'ssn',
    'patient_nbr',
  ],
  ...[
    'SK_ID_CURR',
    'msisdn',
    'Unique Key',
    'tweet_id',
    'PassengerId',
    'IDpol',
    'id_student',
    'ID_code',
    'userid',
    'memberID',
  ],
  ...[
    'S.No',
    'Sr. No.',
    'Emp No',
    'Phone Number',
    'Sample code number',
    'kundennr',
    'matricula',
    'barcode',
    'No.',
    'key',
  ],
];
/** Names of measurements and of counts, some of which look like the ones above. */
const measuring = [
  ...[
    'number_of_rooms',
    'num_pages',
    'NumberOfDependents',
    'paid',
    'unpaid',
    'id_count',
    'grid',
    'humid',
    'price',
    'salary',
  ],
  ...['median_income', 'index_price', 'total_no', 'weight no', 'liquid', 'platinum', 'hybrid', 'monkey'],
];

const byValue: readonly NastyTable[] = [
  of(
    'one number of a customer twice',
    useless(
      'customer_id',
      spread((k) => sixDigits(Math.min(k, 58))),
      'identifier',
    ),
  ),
  of(
    'one code of a customer twice',
    useless(
      'customer_id',
      spread((k) => `C${sixDigits(Math.min(k, 58))}`),
      'identifier',
    ),
  ),
  of(
    'long numbers that doubles cannot tell apart',
    useless(
      'ref',
      spread((k) => `5703061336777605${10 + k}`),
      'identifier',
    ),
  ),
  of(
    'long numbers with a wide step',
    useless(
      'x',
      spread((k) => `${570_306_133_677_760_513n + 7919n * BigInt(k)}`),
      'identifier',
    ),
  ),
  of('an index in no order, without a name', useless('Unnamed: 0', spread(shuffled), 'identifier')),
  of(
    'an index with gaps',
    useless(
      'Unnamed: 0',
      spread((k) => 3 * k + (k % 2)),
      'identifier',
    ),
  ),
  of(
    'an index that begins anew with each part',
    useless(
      'index',
      spread((k) => k % 20),
      'identifier',
    ),
  ),
  of(
    'an index sorted by the class',
    useless(
      'Nr',
      spread((k) => (isA(k) ? 100 : 400) + k),
      'identifier',
    ),
  ),
  of(
    'counts in no order, under any name',
    useless(
      'x',
      spread((k) => 1 + shuffled(k)),
      'identifier',
    ),
  ),
  of(
    'counts that begin with many digits',
    useless(
      'x',
      spread((k) => 7_000_000 + k),
      'identifier',
    ),
  ),
  of(
    'numbers of accounts, all of ten digits',
    useless(
      'konto',
      spread((k) => 4_000_000_000 + k * 98_765_431),
      'identifier',
    ),
  ),
  of(
    'codes of a letter and digits',
    useless(
      'x',
      spread((k) => `C${355_000 + 811 * k}`),
      'identifier',
    ),
  ),
  of(
    'codes with hyphens',
    useless(
      'x',
      spread((k) => `DE-${4000 + 7 * k}-A`),
      'identifier',
    ),
  ),
  of(
    'hexadecimal hashes',
    useless(
      'x',
      spread((k) => `9f${(0x86d081 + k * 65_537).toString(16)}ab`),
      'identifier',
    ),
  ),
  of(
    'two equal long numbers by turns are no constant',
    categories(
      'x',
      spread((k) => `57030613367776051${k % 2}`),
    ),
  ),
  of(
    'years that rise by one',
    numbers(
      'year',
      spread((k) => 1950 + k),
    ),
  ),
  of(
    'years that rise by one, under another name',
    numbers(
      'x',
      spread((k) => 1950 + k),
    ),
  ),
  of(
    'seconds since 1970',
    numbers(
      'x',
      spread((k) => 1_577_836_800 + 3600 * k),
    ),
  ),
  of(
    'milliseconds since 1970',
    numbers(
      'x',
      spread((k) => 1_577_836_800_123 + 77_777 * k),
    ),
  ),
  of(
    'seconds with decimals',
    numbers(
      'x',
      spread((k) => 1_577_836_800.25 + 60 * k),
    ),
  ),
  of(
    'whole prices, all different',
    numbers(
      'x',
      spread((k) => 20_000 + ((k * 7919) % 79_999)),
    ),
  ),
  of(
    'rounded amounts of many digits',
    numbers(
      'x',
      spread((k) => 120_000_000 + 1000 * k),
    ),
  ),
  of(
    'numbers of people, all different',
    numbers(
      'population',
      spread((k) => 100_000_000 + ((k * 77_777_777) % 899_999_999)),
    ),
  ),
  of(
    'weights with decimals, all different',
    numbers(
      'weight',
      spread((k) => 70 + k / 8),
    ),
  ),
  of(
    'a rank in no order',
    numbers(
      'rank',
      spread((k) => 1 + shuffled(k)),
    ),
  ),
  of(
    'an id that repeats',
    numbers(
      'store_id',
      spread((k) => 1000 + (k % 17)),
    ),
  ),
  of(
    'an index of prices',
    numbers(
      'index',
      spread((k) => 4000.5 + ((k * 37) % 71)),
    ),
  ),
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
  ...naming.map((name) => of(`whole numbers under ${name}`, useless(name, spread(sixDigits), 'identifier'))),
  ...measuring.map((name) => of(`whole numbers under ${name}`, numbers(name, spread(sixDigits)))),
  ...byValue,
  ...leaking,
];
