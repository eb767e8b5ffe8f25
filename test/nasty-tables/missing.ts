import { categories, type NastyTable, numbers, type TableOptions, tableOf, useless } from './table.ts';

const family = 'missing values';

/** Numbers of which the second and the fifth are missing, written by a word. */
function marked(name: string, mark: string, options?: TableOptions): NastyTable {
  const cells = ['1.5', mark, '3.25', '-4', mark, '7.75', '12', '0.5'];
  return tableOf(family, name, [numbers('x', cells, [1.5, null, 3.25, -4, null, 7.75, 12, 0.5])], options);
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
  tableOf(family, 'hyphens among categories', [categories('x', 'red | - | blue | red | - | blue | red | blue')]),
  tableOf(
    family,
    'hyphens among categories, given',
    [categories('x', 'red | - | blue | red | - | blue | red | blue', ['', '-'])],
    {
      given: { missing: ['-'] },
    },
  ),
  tableOf(
    family,
    'NaN from pandas among many numbers',
    [numbers('x', '1.5 | NaN | 3.25 | -4 | 2 | 7.75 | 12 | 0.5', [1.5, null, 3.25, -4, 2, 7.75, 12, 0.5])],
    { fault: /NaN.*(--missing|empty that cell)/s },
  ),
  tableOf(
    family,
    'a hyphen among many numbers',
    [numbers('x', '1.5 | - | 3.25 | -4 | 2 | 7.75 | 12 | 0.5', [1.5, null, 3.25, -4, 2, 7.75, 12, 0.5])],
    { fault: /"-".*(--missing|empty that cell)/s },
  ),
  tableOf(family, 'all missing', [useless('x', '| NA | ? | | NULL | N/A | |', 'empty')]),
  tableOf(family, 'missing categories', [
    categories('x', 'red | | blue | NA | red | blue | N/A | red', ['', 'NA', 'N/A']),
  ]),
  tableOf(family, 'Namibia, whose code is NA', [
    categories('country', 'NA | DE | NA | FR | DE | FR | NA | DE', ['', 'NA']),
  ]),
  tableOf(family, 'one value in a column of missing ones', [
    numbers('x', '| | 3.5 | | | 7.25 | |', [null, null, 3.5, null, null, 7.25, null, null]),
  ]),
];
