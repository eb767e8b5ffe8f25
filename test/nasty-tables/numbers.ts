import { categories, type NastyTable, numbers, type TableOptions, tablesOf } from './table.ts';

const { tableOf } = tablesOf('numbers');

/** Makes a table with a column x of numbers. */
function of(
  name: string,
  cells: string | readonly string[],
  values?: readonly (number | null)[],
  options?: TableOptions,
) {
  return tableOf(name, [numbers('x', cells, values)], options);
}

/** Numbers as people write them. A unit is left away: 51.3% is 51.3. */
export const numberTables: readonly NastyTable[] = [
  of('percent signs', '51.3% | 4% | 100% | 0.5% | 12% | 33.3% | 8% | 47%', [51.3, 4, 100, 0.5, 12, 33.3, 8, 47]),
  of('percent signs behind a blank', '51.3 % | 4 % | 100 % | 0.5 % | 12 % | 33.3 %', [51.3, 4, 100, 0.5, 12, 33.3]),
  of('percents, some below zero', '-3.2% | 4.1% | +0.5% | -12% | 7% | 0%', [-3.2, 4.1, 0.5, -12, 7, 0]),
  of('percents with empty cells', '51.3% | | 100% | 0.5% | | 33.3%', [51.3, null, 100, 0.5, null, 33.3]),
  of(
    'dollars with groups and cents',
    '$1,234.50 | $12.00 | $999.99 | $45,000.00 | $7.25 | $1,000,000.00',
    [1234.5, 12, 999.99, 45000, 7.25, 1e6],
  ),
  of(
    'dollars, some in accounting negatives',
    '$1,234.50 | ($12.00) | $999.99 | ($45,000.00) | $7.25 | $80.10',
    [1234.5, -12, 999.99, -45000, 7.25, 80.1],
  ),
  of(
    'parentheses for less than zero',
    '12 | (3) | 45 | (6.5) | 78 | 90 | (1) | 23',
    [12, -3, 45, -6.5, 78, 90, -1, 23],
  ),
  of('dollars below zero', '-$5.20 | $3.10 | -$100.00 | $44.50 | $2.05 | -$0.99', [-5.2, 3.1, -100, 44.5, 2.05, -0.99]),
  of('pounds', '£12.50 | £3.99 | £1,200.00 | £45.00 | £7.10 | £0.50', [12.5, 3.99, 1200, 45, 7.1, 0.5]),
  of('yen, whole', '¥1,200 | ¥350 | ¥98,000 | ¥4,500 | ¥720 | ¥64', [1200, 350, 98000, 4500, 720, 64]),
  of(
    'rupees in Indian groups',
    '₹1,23,456.00 | ₹45,678.50 | ₹9,87,65,432.00 | ₹999.00 | ₹12,345.75 | ₹7,00,000.00',
    [123456, 45678.5, 98765432, 999, 12345.75, 700000],
  ),
  of(
    'euros behind, decimal comma, groups of blanks',
    '1 234,50 € | 12,00 € | 999,99 € | 45 000,00 € | 7,25 € | 80,10 €',
    [1234.5, 12, 999.99, 45000, 7.25, 80.1],
  ),
  of(
    'euros behind, decimal comma, groups of points',
    '1.234,50 € | 12,00 € | 999,99 € | 45.000,00 € | 7,25 € | 80,10 €',
    [1234.5, 12, 999.99, 45000, 7.25, 80.1],
  ),
  of(
    'currency codes behind',
    '12.50 USD | 3.99 USD | 1200 USD | 45 USD | 7.10 USD | 0.5 USD',
    [12.5, 3.99, 1200, 45, 7.1, 0.5],
  ),
  of(
    'currency codes before',
    'CHF 12.50 | CHF 3.95 | CHF 1200.00 | CHF 45.00 | CHF 7.10 | CHF 0.50',
    [12.5, 3.95, 1200, 45, 7.1, 0.5],
  ),
  of(
    'Swiss apostrophes',
    "1'234.50 | 12.00 | 999.95 | 45'000.00 | 7.25 | 1'000'000.00",
    [1234.5, 12, 999.95, 45000, 7.25, 1e6],
  ),
  of(
    'typographic apostrophes',
    '1’234.50 | 12.00 | 999.95 | 45’000.00 | 7.25 | 80.10',
    [1234.5, 12, 999.95, 45000, 7.25, 80.1],
  ),
  of(
    'groups of three, with cents',
    '1,234.50 | 12.00 | 999.99 | 45,000.00 | 7.25 | 1,000,000.00',
    [1234.5, 12, 999.99, 45000, 7.25, 1e6],
  ),
  of(
    'groups of three, whole',
    '12,345 | 987 | 1,002,003 | 45,000 | 7 | 80,100',
    [12345, 987, 1002003, 45000, 7, 80100],
  ),
  of(
    'groups of three in all cells',
    '1,234 | 5,678 | 2,345 | 9,876 | 3,210 | 4,004',
    [1234, 5678, 2345, 9876, 3210, 4004],
    {
      note: /x.*1,?234/,
    },
  ),
  of('groups of blanks', '12 345 | 987 | 1 002 003 | 45 000 | 7 | 80 100', [12345, 987, 1002003, 45000, 7, 80100]),
  of(
    'groups of no-break spaces',
    '12\u00a0345 | 987 | 1\u00a0002\u00a0003 | 45\u00a0000 | 7 | 80\u00a0100',
    [12345, 987, 1002003, 45000, 7, 80100],
  ),
  of(
    'groups of thin spaces',
    '12\u202f345,5 | 987,25 | 1\u202f002\u202f003 | 45\u202f000 | 7,5 | 80\u2009100',
    [12345.5, 987.25, 1002003, 45000, 7.5, 80100],
  ),
  of(
    'decimal comma between semicolons',
    '1,5 | 2,25 | 17,0 | 0,125 | 33,3 | 4,75',
    [1.5, 2.25, 17, 0.125, 33.3, 4.75],
    {
      delimiter: ';',
    },
  ),
  of('decimal comma in quotes', '1,5 | 2,25 | 17,0 | 0,125 | 33,3 | 4,75', [1.5, 2.25, 17, 0.125, 33.3, 4.75]),
  of(
    'decimal comma, groups of points',
    '1.234,5 | 12,25 | 1.000.017,0 | 0,125 | 33,3 | 4,75',
    [1234.5, 12.25, 1000017, 0.125, 33.3, 4.75],
  ),
  of('decimal comma with whole numbers among them', '1,5 | 2 | 17 | 0,125 | 33,3 | 4', [1.5, 2, 17, 0.125, 33.3, 4], {
    delimiter: ';',
  }),
  of('decimal comma between tabs', '1,5 | 2,25 | 17,0 | 0,125 | 33,3 | 4,75', [1.5, 2.25, 17, 0.125, 33.3, 4.75], {
    delimiter: '\t',
  }),
  of(
    'decimal comma decided by one cell',
    '1,234 | 5,678 | 2,345 | 0,876 | 3,2 | 4,004',
    [1.234, 5.678, 2.345, 0.876, 3.2, 4.004],
  ),
  of(
    'decimal comma decided by a leading zero',
    '0,234 | 5,678 | 2,345 | 0,876 | 3,210 | 4,004',
    [0.234, 5.678, 2.345, 0.876, 3.21, 4.004],
  ),
  of('thousandths with a point, as plain as numbers are', '1.234 | 5.678 | 2.345 | 9.876 | 3.210 | 4.004'),
  of(
    'groups of points in all cells, of millions',
    '1.234.567 | 5.678.000 | 2.345.100 | 9.876.543 | 3.210.000 | 4.004.004',
    [1234567, 5678000, 2345100, 9876543, 3210000, 4004004],
  ),
  of(
    'groups of points between semicolons',
    '293 | 80.157 | 690 | 2.725 | 315 | 94.998 | 73.041 | 456',
    [293, 80157, 690, 2725, 315, 94998, 73041, 456],
    { delimiter: ';', ndjson: false, note: /olumn x is read as numbers: "\d+\.\d{3}" is \d{4,5}/ },
  ),
  of(
    'groups of points and euros between semicolons',
    '293 € | 80.157 € | 690 € | 2.725 € | 315 € | 94.998 €',
    [293, 80157, 690, 2725, 315, 94998],
    { delimiter: ';', ndjson: false },
  ),
  of('thousandths between semicolons', '12.128 | 12.831 | 12.226 | 1.547 | 1.245 | 9.843', undefined, {
    delimiter: ';',
    ndjson: false,
    note: /olumn x is read as numbers: "1\.245" is 1\.245/,
  }),
  ...(
    [
      ['a leading zero', '0.128 | 12.831 | 226 | 1.547 | 1.245 | 9.843'],
      ['other places', '12.5 | 12.831 | 226 | 1.547 | 1.245 | 9.843'],
      ['four digits without a point', '12.128 | 12.831 | 2261 | 1.547 | 1.245 | 9.843'],
    ] as const
  ).map(([why, cells]) => of(`points between semicolons, with ${why}`, cells, undefined, { delimiter: ';' })),
  of('short numbers and thousandths between commas', '293 | 80.157 | 690 | 2.725 | 315 | 94.998'),
  of('Unicode minus', '\u22123.5 | 2.25 | \u22120.5 | 12 | 7.75 | \u221240', [-3.5, 2.25, -0.5, 12, 7.75, -40]),
  of('plus signs', '+3.5 | -2.25 | +0.5 | +12 | -7.75 | +40', [3.5, -2.25, 0.5, 12, -7.75, 40]),
  of('a blank behind the sign', '- 3.5 | 2.25 | - 0.5 | 12 | 7.75 | - 40', [-3.5, 2.25, -0.5, 12, 7.75, -40]),
  of('scientific notation', '1.5e3 | 2E-2 | -3.25e+1 | 6.02e23 | 1e0 | 4.5E6', [1500, 0.02, -32.5, 6.02e23, 1, 4.5e6]),
  of('points without digits before or behind', '.5 | 1. | -.25 | 12. | .125 | 3.', [0.5, 1, -0.25, 12, 0.125, 3]),
  of('blanks around numbers', ['  3.5', '2.25  ', ' 0.5 ', '12', '\t7.75', '40 '], [3.5, 2.25, 0.5, 12, 7.75, 40]),
  of('zeros with signs', '0 | -0 | 0.0 | 1.5 | +0 | -2.5', [0, 0, 0, 1.5, 0, -2.5]),
  of(
    'numbers beyond 2^53',
    '9007199254740993 | 123456789012345678 | 5 | 17 | 12 | 9',
    [9007199254740992, 123456789012345680, 5, 17, 12, 9],
  ),
  of('temperatures with degrees', '21.5°C | 18°C | -3.5°C | 30.25°C | 0°C | 12°C', [21.5, 18, -3.5, 30.25, 0, 12]),
  of('codes from 1 to 5', '1 | 5 | 3 | 2 | 4 | 5 | 1 | 3'),
  of('years', '1987 | 2001 | 1999 | 2015 | 1970 | 2022 | 1987 | 2005'),
  of('one measurement among zeros', '0 | 0 | 0 | 0.01 | 0 | 0 | 0 | 0'),
  of('a number too large for a double', '1.5 | 2.5 | 1e999 | 4.25 | 7.75 | 40.5', undefined, {
    fault: /finite number.*1e999|1e999.*finite number/,
  }),
  of('an infinite number', '1.5 | 2.5 | inf | 4.25 | 7.75 | 40.5', [1.5, 2.5, null, 4.25, 7.75, 40.5], {
    fault: /finite number.*inf|inf.*finite number/,
  }),
  of(
    'a word among many measurements',
    '1.5 | 2.5 | 3.75 | 4.25 | 7.75 | 40.5 | broken | 12.5',
    [1.5, 2.5, 3.75, 4.25, 7.75, 40.5, null, 12.5],
    { fault: /number.*"broken"|"broken".*number/ },
  ),
  tableOf('two currencies in one column', [categories('x', '$12 | €12 | $30 | €30 | $12 | €45 | $45 | €12')], {
    note: /x.*(unit|currenc|words|categor)/,
  }),
  tableOf('both decimal marks in one column', [categories('x', '1.5 | 2,25 | 1.5 | 0,75 | 2,25 | 3.5 | 0,75 | 3.5')], {
    note: /x.*(comma|words|categor)/,
  }),
  tableOf('bounds instead of numbers', [categories('x', '<5 | 5-10 | >10 | <5 | 5-10 | >10 | <5 | >10')]),
  tableOf('ranges of ages', [categories('x', '18-24 | 25-34 | 35-44 | 18-24 | 65+ | 25-34 | 65+ | 35-44')]),
  tableOf('sizes with letters', [categories('x', '4x4 | 2x2 | 4x4 | 2x4 | 2x2 | 2x4 | 4x4 | 2x2')]),
  tableOf('hexadecimal codes', [categories('x', '0x1F | 0xA0 | 0x1F | 0x0B | 0xA0 | 0x0B | 0x1F | 0xA0')]),
  tableOf('versions', [categories('x', '1.2.3 | 1.10.0 | 1.2.3 | 2.0.1 | 1.10.0 | 2.0.1 | 1.2.3 | 2.0.1')]),
  tableOf('fractions', [categories('x', '1/2 | 3/4 | 1/2 | 1/4 | 3/4 | 1/4 | 1/2 | 3/4')]),
  tableOf('numbers with two units', [categories('x', '5 kg | 300 g | 5 kg | 12 kg | 300 g | 12 kg | 5 kg | 300 g')]),
];
