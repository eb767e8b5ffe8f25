import { categories, dates, type NastyTable, numbers, type TableOptions, tablesOf, useless } from './table.ts';

const { tableOf } = tablesOf('missing values');

/** Numbers of which the second and the fifth are missing, written by a word. */
function marked(name: string, mark: string, options?: TableOptions): NastyTable {
  const cells = ['1.5', mark, '3.25', '-4', mark, '7.75', '12', '0.5'];
  return tableOf(name, [numbers('x', cells, [1.5, null, 3.25, -4, null, 7.75, 12, 0.5])], options);
}

/** The same, where the word must be given. */
function given(name: string, mark: string, missing: readonly string[] = [mark]): NastyTable {
  return marked(name, mark, { given: { missing } });
}

/** Many words for no value. Some always mean that; others do in one table and are values in another. */
export const missingTables: readonly NastyTable[] = [
  marked('empty cells', ''),
  marked('blanks', '   '),
  marked('NA', 'NA'),
  marked('N/A', 'N/A'),
  marked('null', 'null'),
  marked('NULL', 'NULL'),
  marked('question marks', '?'),
  given('NaN, given', 'NaN'),
  given('nan, given', 'nan'),
  given('None, given', 'None'),
  given('n/a, given', 'n/a'),
  given('hyphens, given', '-'),
  given('points, given', '.'),
  given('-999, given', '-999'),
  given('several words, given', 'missing', ['missing', '-', 'NaN']),
  // Two of eight cells are no numbers: too many for faults, and the words are codes as in a category.
  tableOf('hyphens among categories', [categories('x', 'red | - | blue | red | - | blue | red | blue')]),
  tableOf(
    'hyphens among categories, given',
    [categories('x', 'red | - | blue | red | - | blue | red | blue', ['', '-'])],
    {
      given: { missing: ['-'] },
    },
  ),
  ...[
    'NaN',
    'nan',
    '-nan',
    'None',
    'none',
    'n/a',
    '<NA>',
    '#N/A',
    '#NA',
    '1.#IND',
    '-1.#QNAN',
    '\\N',
    '-',
    '--',
    '.',
    '—',
    '#N/A N/A',
    '#DIV/0!',
    '#REF!',
    '#NAME?',
  ].map((word) => marked(`${word} among numbers`, word)),
  ...['N.A.', 'Not yet rated', 'Varies with device', 'free'].map((word) =>
    tableOf(`${word} among numbers, which recurs`, [
      numbers('x', `1.5 | ${word} | 3.25 | -4 | ${word} | 7.75 | 12 | 0.5`, [1.5, word, 3.25, -4, word, 7.75, 12, 0.5]),
    ]),
  ),
  tableOf('one unknown among numbers', [
    numbers('x', '1.5 | unknown | 3.25 | -4 | 5 | 7.75 | 12 | 0.5', [1.5, null, 3.25, -4, 5, 7.75, 12, 0.5]),
  ]),
  tableOf('two words among prices', [
    numbers('x', '$1.50 | free | $3 | on request | free | $8 | $12 | on request', [
      1.5,
      'free',
      3,
      'on request',
      'free',
      8,
      12,
      'on request',
    ]),
  ]),
  tableOf('a word among few codes', [categories('x', '4 | 6 | 8 | rotary | 6 | 4 | rotary | 8')]),
  tableOf('pandas writes one NaN among whole numbers', [
    numbers('x', '12 | 7 | NaN | 30 | 41 | 55', [12, 7, null, 30, 41, 55]),
  ]),
  tableOf('hyphens among dollars', [numbers('x', '$12 | - | $7.50 | $30 | nan | $5', [12, null, 7.5, 30, null, 5])]),
  tableOf('NaN among dates', [
    dates(
      'x',
      '2024-01-05 | NaN | 2024-02-07 | 2024-03-01 | - | 2024-04-09',
      '2024-01-05 | | 2024-02-07 | 2024-03-01 | | 2024-04-09',
    ),
  ]),
  tableOf('hyphens among postcodes', [categories('x', '02134 | - | 10001 | 02134 | - | 10001 | 90210 | 90210')]),
  tableOf('all missing', [useless('x', '| NA | ? | | NULL | N/A | |', 'empty')]),
  tableOf('missing categories', [categories('x', 'red | | blue | NA | red | blue | N/A | red', ['', 'NA', 'N/A'])]),
  tableOf('Namibia, whose code is NA', [categories('country', 'NA | DE | NA | FR | DE | FR | NA | DE', ['', 'NA'])]),
  tableOf('one value in a column of missing ones', [
    numbers('x', '| | 3.5 | | | 7.25 | |', [null, null, 3.5, null, null, 7.25, null, null]),
  ]),
];
