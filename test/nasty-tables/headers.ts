import { type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('headers');
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const category = (...values: (string | null)[]) => ({ kind: 'category' as const, values });

/** Does the first line have the names? */
export const headerTables: readonly NastyTable[] = [
  textTable('names above numbers', 'length,width,y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { length: number(1.5, 3.25, 2, 4), width: number(2.5, 1, 2.75, 0.5) },
  }),
  textTable('no names', '1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    header: false,
    label: 'column2',
    columns: { column0: number(1.5, 3.25, 2, 4), column1: number(2.5, 1, 2.75, 0.5) },
    note: /first line looks like data/,
  }),
  textTable(
    'whole numbers as names',
    '0,1,2,target\n1.5,2.5,0.25,a\n3.25,1.5,0.75,b\n2.5,2.75,0.5,a\n4.5,0.5,1.25,b\n',
    {
      label: 'target',
      columns: { 0: number(1.5, 3.25, 2.5, 4.5), 1: number(2.5, 1.5, 2.75, 0.5), 2: number(0.25, 0.75, 0.5, 1.25) },
    },
  ),
  textTable(
    'years as names',
    'country,2019,2020,2021,y\nDE,83.1,83.2,83.3,a\nFR,67.2,67.4,67.5,b\nDE,83.5,83.6,83.9,a\nFR,67.9,68.0,68.2,b\n',
    {
      columns: {
        country: category('DE', 'FR', 'DE', 'FR'),
        2019: number(83.1, 67.2, 83.5, 67.9),
        2020: number(83.2, 67.4, 83.6, 68),
        2021: number(83.3, 67.5, 83.9, 68.2),
      },
    },
  ),
  textTable(
    'names above words',
    'colour,shape,y\nred,round,a\nblue,square,b\nred,square,a\nblue,round,b\nred,round,b\nblue,square,a\n',
    {
      columns: {
        colour: category('red', 'blue', 'red', 'blue', 'red', 'blue'),
        shape: category('round', 'square', 'square', 'round', 'round', 'square'),
      },
    },
  ),
  textTable(
    'words without names',
    'red,round,a\nblue,square,b\nred,square,a\nblue,round,b\nred,round,b\nblue,square,a\n',
    {
      header: false,
      label: 'column2',
      columns: {
        column0: category('red', 'blue', 'red', 'blue', 'red', 'blue'),
        column1: category('round', 'square', 'square', 'round', 'round', 'square'),
      },
      note: /first line looks like data/,
    },
  ),
  textTable('names that are equal', 'x,x,y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { x: number(1.5, 3.25, 2, 4), x_2: number(2.5, 1, 2.75, 0.5) },
    note: /x_2/,
  }),
  textTable('a name that is blank', 'x, ,y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { x: number(1.5, 3.25, 2, 4), column1: number(2.5, 1, 2.75, 0.5) },
  }),
  textTable('names with blanks around them', ' x , z ,y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { x: number(1.5, 3.25, 2, 4), z: number(2.5, 1, 2.75, 0.5) },
  }),
  textTable('names in quotes, with commas', '"size, in cm","say ""x""",y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { 'size, in cm': number(1.5, 3.25, 2, 4), 'say "x"': number(2.5, 1, 2.75, 0.5) },
  }),
  textTable('a first column without a name', ',x,y\nr1,1.5,a\nr2,3.25,b\nr3,2,a\nr4,4,b\nr5,6,b\nr6,7,a\n', {
    columns: {
      column0: { kind: 'left out', reasons: ['identifier', 'all-different', 'running-number'] },
      x: number(1.5, 3.25, 2, 4, 6, 7),
    },
  }),
  textTable('a byte order mark', '\ufefflength,y\n1.5,a\n3.25,b\n2,a\n4,b\n', {
    columns: { length: number(1.5, 3.25, 2, 4) },
  }),
  textTable('a byte order mark before quotes', '\ufeff"length","y"\n1.5,a\n3.25,b\n2,a\n4,b\n', {
    columns: { length: number(1.5, 3.25, 2, 4) },
  }),
  textTable('names above dates', 'day,y\n2022-08-01,a\n2021-12-31,b\n2024-02-29,a\n1999-01-01,b\n', {
    columns: { day: { kind: 'date', values: [19205, 18992, 19782, 10592] } },
  }),
  textTable('dates without names', '2022-08-01,a\n2021-12-31,b\n2024-02-29,a\n1999-01-01,b\n', {
    header: false,
    label: 'column1',
    columns: { column0: { kind: 'date', values: [19205, 18992, 19782, 10592] } },
    note: /first line looks like data/,
  }),
  textTable('names above amounts', 'price,y\n$12.50,a\n$3.99,b\n$8.00,a\n$45.10,b\n', {
    columns: { price: number(12.5, 3.99, 8, 45.1) },
  }),
  textTable('amounts without names', '$12.50,a\n$3.99,b\n$8.00,a\n$45.10,b\n', {
    header: false,
    label: 'column1',
    columns: { column0: number(12.5, 3.99, 8, 45.1) },
    note: /first line looks like data/,
  }),
  textTable(
    'numbers that are no names, said so',
    '1,2,y\n1.5,2.5,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n',
    { columns: { 1: number(1.5, 3.25, 2, 4), 2: number(2.5, 1, 2.75, 0.5) } },
    { header: true, label: 'y' },
  ),
  textTable(
    'names that are data, said so',
    'red,round,a\nblue,square,b\nred,square,a\nblue,round,b\n',
    {
      header: false,
      label: 'column2',
      columns: {
        column0: category('red', 'blue', 'red', 'blue'),
        column1: category('round', 'square', 'square', 'round'),
      },
    },
    { header: false },
  ),
  textTable('one stray word in the first row of numbers', '1.5,2.5,a\n3.25,?,b\n2,2.75,a\n4,0.5,b\n5,0.25,b\n', {
    header: false,
    label: 'column2',
    columns: { column0: number(1.5, 3.25, 2, 4, 5), column1: number(2.5, null, 2.75, 0.5, 0.25) },
  }),
  textTable('a missing value in the first row', '1.5,,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n5,0.25,b\n', {
    header: false,
    label: 'column2',
    columns: { column0: number(1.5, 3.25, 2, 4, 5), column1: number(null, 1, 2.75, 0.5, 0.25) },
  }),
  faultyTable('names and nothing else', 'x,z,y\n', /expected rows|no row below/),
];
