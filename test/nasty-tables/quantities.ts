import { categories, type NastyTable, numbers, type TableOptions, tablesOf } from './table.ts';

const { tableOf } = tablesOf('quantities');

/** Numbers with this text before and behind each. */
function beside(before: string, behind: string, factor = 1): NastyTable {
  const plain = [12, 7.5, 250, 3, 48.25, 1900, 0.5, 61];
  const cells = plain.map((number) => `${before}${number}${behind}`);
  return tableOf(
    `numbers in ${JSON.stringify(`${before}…${behind}`)}`,
    [
      numbers(
        'x',
        cells,
        plain.map((number) => number * factor),
      ),
    ],
    { note: /olumn x is read as numbers: .* is / },
  );
}

/** Cells of a person, and the numbers in them. */
function of(name: string, cells: string, values: readonly (number | null)[], options?: TableOptions): NastyTable {
  return tableOf(name, [numbers('x', cells, values)], { note: /olumn x is read as numbers/, ...options });
}

/** Cells that are names, though they hold digits. */
function names(name: string, cells: string): NastyTable {
  return tableOf(`${name}, which are no numbers`, [categories('x', `${cells} | ${cells}`)]);
}

/** Numbers with something beside them, and codes that look alike. */
export const quantityTables: readonly NastyTable[] = [
  beside('', '×10^3', 1000),
  beside('', ' x 10^-2', 0.01),
  ...[
    ' CC',
    ' ms',
    'ms',
    ' years',
    ' sq ft',
    ' sq. ft.',
    ' kg',
    'kg',
    ' bhp',
    ' kmpl',
    ' km/kg',
    ' mg/dl',
    ' L/100km',
    '+',
    '*',
    '"',
    "'",
  ].map((behind) => beside('', behind)),
  ...[
    ' (est.)',
    '/10',
    ' / 100',
    ' out of 5 stars',
    ' Stück',
    ' m2',
    ' m²',
    ' 円',
    '★',
    ' nights',
    '/hr',
    ' per month',
    '°',
    ' ppl',
    'rpm',
    '[1]',
    '?',
  ].map((behind) => beside('', behind)),
  ...['Rs. ', 'Rs.', 'INR ', '~', '≈', '± ', '<', '≤ ', 'ca. ', 'about ', 'Price: ', '$ ', 'US$'].map((before) =>
    beside(before, ''),
  ),
  beside('$', '/mo'),
  beside('~', ' km'),
  beside('Rs. ', ' (approx)'),
  beside('', 'K', 1e3),
  beside('', ' bn', 1e9),
  beside('', 'M+', 1e6),
  beside('$', 'K', 1e3),
  beside('€ ', ' Mio.', 1e6),
  beside('', ' lakh', 1e5),
  beside('₹', ' crore', 1e7),
  beside('', ' million USD', 1e6),
  beside('', '万', 1e4),
  of(
    'thousands and millions',
    '19M | 8.7M | 201k | 25M | 2.8M | 540k | 1.1M | 33M',
    [19e6, 8.7e6, 201e3, 25e6, 2.8e6, 540e3, 1.1e6, 33e6],
  ),
  of('dollars, some in thousands', '$3K | $1.2M | $900 | $45K | $1,250 | $7.5K', [3e3, 1.2e6, 900, 45e3, 1250, 7500]),
  of(
    'lakhs and crores',
    '45 Lac | 1.2 Cr | 60 Lac | 3.4 Cr | 99.5 Lac | 2 Cr',
    [45e5, 1.2e7, 60e5, 3.4e7, 99.5e5, 2e7],
  ),
  of('bytes', '16GB | 1TB | 512MB | 8GB | 2TB | 256MB', [16e9, 1e12, 512e6, 8e9, 2e12, 256e6]),
  of('installs', '1,000+ | 50,000+ | 500+ | 1,000,000+ | 10+ | 5,000+', [1000, 50000, 500, 1e6, 10, 5000]),
  of('one year and years', '1 year | 12 years | 7 years | 3 yrs | 1 Year | 25 years', [1, 12, 7, 3, 1, 25]),
  of('spellings of a unit', '12 kg | 7.5 Kg | 3 KG | 18kg | 25 kgs | 40.5 kg', [12, 7.5, 3, 18, 25, 40.5]),
  of('zeros without the unit', '0 | $4.99 | 0 | 0 | $2.99 | 0 | $0.99 | 0', [0, 4.99, 0, 0, 2.99, 0, 0.99, 0]),
  of(
    'a rare unit',
    '1.00 kg | 2.37 | 3.74 | 5.11 | 6.48 | 7.85 | 9.22 | 10.59',
    [1, 2.37, 3.74, 5.11, 6.48, 7.85, 9.22, 10.59],
    {
      note: /only 1 cell.*"kg"/,
    },
  ),
  of(
    'values below the limit of detection',
    '<0.05 | 8.1 | 5.99 | <0.05 | 4.55 | 7.3 | 3.2 | 6',
    [0.05, 8.1, 5.99, 0.05, 4.55, 7.3, 3.2, 6],
  ),
  of('footnotes', '5[1] | 11 | 33 | 24* | 80 | 39[2] | 7 | 12†', [5, 11, 33, 24, 80, 39, 7, 12]),
  of(
    'full-width digits',
    '２９３ | ８０１５７ | ６９０ | ２７２５ | １２．５ | ９４９',
    [293, 80157, 690, 2725, 12.5, 949],
  ),
  of('Arabic digits', '٣٤٥ | ٦٧ | ١٢٫٥ | ٨٩٠ | ٣٤ | ٢', [345, 67, 12.5, 890, 34, 2]),
  of('Persian digits', '۳۴۵ | ۶۷ | ۱۲۰ | ۸۹۰ | ۳۴ | ۲', [345, 67, 120, 890, 34, 2]),
  of(
    'a number in another unit',
    `${Array.from({ length: 40 }, (_, i) => `${i}.5 kmpl`).join(' | ')} | 26.6 km/kg`,
    [...Array.from({ length: 40 }, (_, i) => i + 0.5), null],
    {
      note: /"km\/kg" are in another unit/,
    },
  ),
  tableOf('kilograms and pounds', [categories('x', '5 kg | 30 lb | 5 kg | 12 kg | 30 lb | 12 lb | 12 kg | 12 lb')], {
    note: /olumn x .* several units, such as "12 kg" and "12 lb"/,
  }),
  names('letters before', 'A12 | A15 | A99 | A7'),
  names('long codes', 'C355512575 | C355512576 | C355512999 | C3555'),
  names('versions with a v', 'v1.2 | v1.3 | v2.0 | v0.9'),
  names('versions with a word', 'Version 1.2 | Version 1.3 | Version 2.0 | Version 0.9'),
  names('number plates', 'B AB 123 | B XY 456 | B AA 12 | B CC 9'),
  names('seats', '12A | 13B | 14C | 15A'),
  names('seats in a row', '12A | 13A | 14A | 15A'),
  names('rooms', 'Room 12 | Room 17 | Room 19 | Room 33'),
  names('ranks', '#12 | #15 | #19 | #3'),
  names('numbers of houses', 'No. 12 | No. 15 | No. 19 | No. 3'),
  names('phone numbers', '555-1234 | 555-2345 | 555-9876 | 555-1111'),
  names('phone numbers with codes', '(555) 123-4567 | (555) 987-6543 | (444) 222-1111 | (444) 1-2'),
  names('phone numbers of countries', '+49 30 123 | +49 40 4567 | +49 89 789 | +49 1 2'),
  names('ranges', '20-29 | 30-39 | 40-49 | 50-59'),
  names('ranges of money', '$20-$29 | $30-$39 | $40-$49 | $50-$59'),
  names('quarters', 'Q1 | Q2 | Q3 | Q4'),
  names('addresses', '12 Main St | 44 Oak Ave | 17 Elm Rd | 9 Ash Ln'),
  names('postcodes', '10001 NY | 10002 NY | 10003 NY | 10004 NY'),
  names('sizes of clothes', '32M | 34L | 36M | 38S'),
  names('credit and debit', '12.50 CR | 7.00 DR | 3.25 CR | 9.75 DR'),
  names('blood pressures', '120/80 | 130/100 | 110/80 | 140/90 | 125/100'),
  names('bounds on both sides', '<18 | >65 | <25 | >40'),
  names('heights in feet and inches', '5\'10" | 6\'2" | 5\'7" | 5\'1"'),
  names('dosages', '2x500 | 1x250 | 3x100 | 2x250'),
  names('screens', '1920x1080 | 1366x768 | 2560x1440 | 800x600'),
  names('numbers with leading zeros and a word', '007 XY | 012 XY | 030 XY | 001 XY'),
];
