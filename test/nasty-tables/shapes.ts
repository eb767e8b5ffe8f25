import { type GivenOptions, type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('shapes');
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const category = (...values: (string | null)[]) => ({ kind: 'category' as const, values });

const names = ['x', 'c', 'y'];
const cells = [
  ['1.5', 'u', 'a'],
  ['3.25', 'v', 'b'],
  ['2.75', 'v', 'a'],
  ['4.5', 'u', 'b'],
  ['0.25', 'u', 'b'],
  ['5.75', 'v', 'a'],
];
const columns = { x: number(1.5, 3.25, 2.75, 4.5, 0.25, 5.75), c: category('u', 'v', 'v', 'u', 'u', 'v') };
const plain = { rows: 6, columns };
const unnamed = { header: false, label: 'column2', rows: 6, columns: { column0: columns.x, column1: columns.c } };

/** Writes the rows of the table. */
const rows = (delimiter = ',', write = (cell: string) => cell) =>
  cells.map((row) => `${row.map(write).join(delimiter)}\n`).join('');
const text = (delimiter = ',', write = (cell: string) => cell) =>
  `${names.map(write).join(delimiter)}\n${rows(delimiter, write)}`;

const table = (name: string, content: string, more: object = {}, given: Partial<GivenOptions> = {}) =>
  textTable(name, content, { ...plain, ...more }, given);
const told = ({ source }: RegExp) => ({ note: new RegExp(source, 'i') });

const padded = (width: number) =>
  [names, ...cells]
    .map(
      (row) =>
        `${row
          .map((cell) => cell.padEnd(width))
          .join('')
          .trimEnd()}\n`,
    )
    .join('');

const numbersOf = Array.from({ length: 8 }, (_, i) => [i + 0.5, 8.25 - i, (i * i) / 4]);
const uci = {
  header: false,
  label: 'column3',
  rows: 8,
  columns: Object.fromEntries([0, 1, 2].map((c) => [`column${c}`, number(...numbersOf.map((row) => row[c]!))])),
};

/** Delimiters beyond the usual ones. */
const delimiterTables = [
  ...(
    [
      ['~', 'tildes'],
      ['\u0001', 'control characters, as Hive writes them'],
      ['^', 'circumflexes'],
      [':', 'colons'],
      ['::', 'two colons'],
      ['||', 'two bars'],
      ['~~', 'two tildes'],
    ] as const
  ).flatMap(([delimiter, what]) => [
    table(`${what} between cells`, text(delimiter), told(/cells are separated by/)),
    table(`${what}, without names`, rows(delimiter), unnamed),
  ]),
  table('blanks between cells', text(' '), told(/separated by blanks/)),
  table('several blanks between cells', text('    ')),
  table('blanks and tabs between cells', text(' \t ')),
  table('columns that begin below each other', padded(8)),
  table('blanks before and behind each line', text('  ').replace(/^/gm, '   ').replace(/\n/g, '  \n').trimEnd()),
  table(
    'blanks, with quotes as R writes them',
    text(' ', (cell) => (/^\d/.test(cell) ? cell : `"${cell}"`)),
  ),
  textTable(
    'blanks in quoted cells between blanks',
    'x city y\n1.5 "New York" a\n3.25 Rome b\n2 "New York" a\n4 Rome b\n',
    { columns: { x: number(1.5, 3.25, 2, 4), city: category('New York', 'Rome', 'New York', 'Rome') } },
  ),
  textTable(
    'numbers between blanks without names',
    numbersOf
      .map((row, i) => `  ${row.map((value) => value.toFixed(2)).join('   ')}   ${i % 3 === 0 ? 'b' : 'a'}\n`)
      .join(''),
    uci,
  ),
  textTable('question marks for missing numbers between blanks', 'p q y\n1.5 ? a\n3.25 1 b\n? 2.75 a\n4 0.5 b\n', {
    columns: { p: number(1.5, 3.25, null, 4), q: number(null, 1, 2.75, 0.5) },
  }),
  textTable('decimal commas between blanks', 'p q y\n1,5 2,5 a\n3,25 1,0 b\n2,0 2,75 a\n4,0 0,5 b\n', {
    columns: { p: number(1.5, 3.25, 2, 4), q: number(2.5, 1, 2.75, 0.5) },
  }),
  table('a delimiter that is given', text('#'), {}, { delimiter: '#' }),
  table('a delimiter of three characters that is given', text('<|>'), {}, { delimiter: '<|>' }),
  table('a delimiter beyond ASCII that is given', text('§'), {}, { delimiter: '§' }),
  table('tabs that are given as delimiter', text('\t'), {}, { delimiter: '\t' }),
  table('blanks that are given as delimiter', text('  '), {}, { delimiter: ' ' }),
  textTable(
    'colons in text between commas',
    'x,said,y\n1.5,no: never,a\n3.25,yes: now,b\n2,no: never,a\n4,yes: now,b\n',
    { columns: { x: number(1.5, 3.25, 2, 4), said: category('no: never', 'yes: now', 'no: never', 'yes: now') } },
  ),
  textTable(
    'tildes and blanks in text between semicolons',
    'x;said;y\n1.5;~ five m;a\n3.25;~ ten m;b\n2;~ five m;a\n4;~ ten m;b\n',
    { columns: { x: number(1.5, 3.25, 2, 4), said: category('~ five m', '~ ten m', '~ five m', '~ ten m') } },
  ),
  faultyTable('lines of text are no table', 'y\nhe said so\nshe did not\nwe saw it\n', /column|expected/i),
  faultyTable('times of day are one column', 'y\n12:30\n13:45\n09:15\n10:20\n', /column|expected/i),
  faultyTable('libsvm text is no table', '1 1:0.5 2:1.5\n-1 1:2.5 2:0.5\n1 1:1 2:2\n-1 1:3 2:1\n', /column|expected/i),
];

/** Lines above the names, and comments. */
const preambleTables = [
  table(
    'a title above the names',
    `Measurements of May\n${text()}`,
    told(/left out the first line.*Measurements of May/),
  ),
  table('a title above semicolons', `Measurements of May\n${text(';')}`, told(/left out the first line/)),
  table('a title above tabs', `Measurements of May\n${text('\t')}`, told(/left out the first line/)),
  table('a title and a blank line', `Measurements of May\n\n${text()}`, told(/left out the first 2 lines/)),
  table(
    'three lines of a report',
    `Report: May\nMade: 2025-01-06, by Ann\n\n${text()}`,
    told(/left out the first 3 lines/),
  ),
  table('a title that spreadsheets pad', `Report of May,,\n,,\n${text()}`, told(/left out the first 2 lines/)),
  table('a title in quotes with a comma', `"Report, May"\n${text()}`, told(/left out the first line/)),
  table('a title above rows without names', `Measurements of May\n${rows()}`, {
    ...unnamed,
    ...told(/left out the first line/),
  }),
  table('blank lines above the names', `\n\n${text()}`),
  table('lines of blanks above the names', `   \n  \n${text()}`),
  table('lines that are given to be left out', `x,c\nz,d,e\n${text()}`, {}, { skipLines: 2 }),
  table('a title and CRLF', `Measurements of May\n${text()}`.replaceAll('\n', '\r\n'), told(/left out the first line/)),
  table('a title and CR', `Measurements of May\n${text()}`.replaceAll('\n', '\r'), told(/left out the first line/)),
  table('comments above the names', `# by hand\n# in May, 2025\n${text()}`, told(/left out the first 2 lines/)),
  table('comments of percent signs', `% by hand\n% in May\n${text()}`, told(/left out the first 2 lines/)),
  table('comments of slashes', `// by hand\n// in May\n${text()}`, told(/left out the first 2 lines/)),
  table(
    'comments between rows',
    text().replace('2.75', '# a new day\n2.75').replace('0.25', '# and another one, later\n0.25'),
    told(/left out 2 lines that begin with #/),
  ),
  table(
    'comments above and between rows',
    `# by hand\n${text().replace('2.75', '# later\n2.75')}`,
    told(/left out 1 line that/),
  ),
  table('a comment at the end', `${text()}# end\n`, told(/left out 1 line that begin/)),
  table('comments with quotes', `# it's "by hand\n${text()}`, told(/left out the first line/)),
  table('comments that are given', text().replace('2.75', 'REM later\n2.75'), told(/REM/), { comment: 'REM' }),
  table('names in a comment, as NumPy writes them', `# x,c,y\n${rows()}`),
  table('names in the last of several comments', `# by hand\n# x,c,y\n${rows()}`),
  textTable('a name that begins like a comment', `#x,c,y\n${rows()}`, {
    columns: { '#x': columns.x, c: columns.c },
  }),
  textTable('colours, which are no comments', 'rgb,x,y\n#ff0000,1.5,a\n#00ff00,3.25,b\n#ff0000,2,a\n#00ff00,4,b\n', {
    columns: { rgb: category('#ff0000', '#00ff00', '#ff0000', '#00ff00'), x: number(1.5, 3.25, 2, 4) },
  }),
  table('the delimiter for spreadsheets, and commas', `sep=,\n${text()}`),
  table('the delimiter for spreadsheets, and bars', `SEP=|\n${text('|')}`),
  table('the delimiter for spreadsheets, rare', `sep=~\n${text('~')}`),
  faultyTable('a title as long as the names but one', `Report,May\n${text()}`, /expected 2 cells|Line 2/i),
];

const single = (cell: string) => `'${cell}'`;
/** Quotes. */
const quoteTables = [
  table('single quotes around all cells', text(',', single), told(/single quotes/)),
  table(
    'single quotes around words',
    text(',', (cell) => (/^\d/.test(cell) ? cell : `'${cell}'`)),
    told(/single quotes/),
  ),
  textTable('commas in single quotes', "x,name,y\n1.5,'Doe, J',a\n3.25,'Roe, R',b\n2,'Doe, J',a\n4,'Roe, R',b\n", {
    columns: { x: number(1.5, 3.25, 2, 4), name: category('Doe, J', 'Roe, R', 'Doe, J', 'Roe, R') },
  }),
  textTable('apostrophes before words', "x,name,y\n1.5,'tis,a\n3.25,it,b\n2,'tis,a\n4,it,b\n", {
    columns: { x: number(1.5, 3.25, 2, 4), name: category("'tis", 'it', "'tis", 'it') },
  }),
  table('single quotes, given', text(',', single), {}, { quote: "'" }),
  textTable(
    'no quotes, given',
    'x,name,y\n1.5,"u,a\n3.25,v,b\n2,"u,a\n4,v,b\n',
    { columns: { x: number(1.5, 3.25, 2, 4), name: category('"u', 'v', '"u', 'v') } },
    { quote: 'none' },
  ),
  table(
    'a blank before each quote',
    text(', ', (cell) => `"${cell}"`),
  ),
  textTable(
    'several blanks before quotes',
    'x,   name,   y\n1.5,   "Doe, J",   a\n3.25,   "Roe, R",   b\n2,   "Doe, J",   a\n4,   "Roe, R",   b\n',
    { columns: { x: number(1.5, 3.25, 2, 4), name: category('Doe, J', 'Roe, R', 'Doe, J', 'Roe, R') } },
  ),
  table(
    'lines in quotes as a whole',
    text(',', (cell) => `""${cell}""`).replace(/^(.*)$/gm, (line) => (line === '' ? '' : `"${line}"`)),
    told(/lines stand in quotes/),
  ),
  table(
    'rows in quotes as a whole, below plain names',
    `x,c,y\n${rows(',', (cell) => (/^\d/.test(cell) ? cell : `""${cell}""`)).replace(/^(.+)$/gm, '"$1"')}`,
    told(/lines stand in quotes/),
  ),
  textTable(
    'quotes within cells, which enclose nothing',
    'x,name,y\n1.5,""ho"" he said,a\n3.25,""hi"" she said,b\n2,""ho"" he said,a\n4,""hi"" she said,b\n',
    {
      columns: {
        x: number(1.5, 3.25, 2, 4),
        name: category('""ho"" he said', '""hi"" she said', '""ho"" he said', '""hi"" she said'),
      },
      ...told(/quotes are read as characters/),
    },
  ),
];

const repeated = cells.map((row) => `${row.join(',')}\n`);
/** Lines below the names, and at the end. */
const lineTables = [
  table('units below the names', `x,c,y\n(cm),(-),(class)\n${rows()}`, told(/left out the line below the names/)),
  table(
    'units of some columns',
    `x,c,y\nkg,,\n${rows()}`.replace('kg,,', 'kg,-,class'),
    told(/left out the line below/),
  ),
  table('types below the names', `x,c,y\nDOUBLE,STRING,CAT\n${rows()}`, told(/DOUBLE, STRING, CAT/)),
  table(
    'types and longer names',
    `x,c,y\nDOUBLE,STRING,CAT\nLength of it,Its kind,The class\n${rows()}`,
    told(/2 lines below/),
  ),
  table('flags of a program', `x,c,y\ncontinuous,discrete,discrete\n,,class\n${rows()}`, told(/2 lines below/)),
  textTable('a first row of missing words is a row', 'p,q,y\nNA,NA,a\n3.25,1,b\n2,2.75,a\n4,0.5,b\n', {
    columns: { p: number(null, 3.25, 2, 4), q: number(null, 1, 2.75, 0.5) },
  }),
  table(
    'names again in the middle',
    `x,c,y\n${repeated.slice(0, 3).join('')}x,c,y\n${repeated.slice(3).join('')}`,
    told(/1 line.* repeat/),
  ),
  table('names again at the end', `${text()}x,c,y\n`, told(/1 line.* repeat/)),
  table('names again before each row', repeated.map((row) => `x,c,y\n${row}`).join(''), told(/5 lines that repeat/)),
  table('a sum at the end', `${text()}Total,,\n`, told(/a sum: Total/)),
  table('a sum of numbers at the end', `${text('\t')}Sum\t18\t\n`, told(/a sum: Sum 18/)),
  table('a sum at the end, shorter than the rows', `${text(';')}Grand total;18\n`, told(/a sum/)),
  textTable('a class that is called total', 'c,x,y\ntotal,,a\nu,1,b\ntotal,2,a\nu,3,b\n', {
    columns: { c: category('total', 'u', 'total', 'u'), x: number(null, 1, 2, 3) },
  }),
  table('rows of empty cells at the end', `${text()},,\n,,\n`, told(/2 lines of empty cells/)),
  table('delimiters at the end of names and rows', text().replaceAll('\n', ',\n'), {
    columns: { ...columns, column3: { kind: 'left out', reasons: ['empty'] } },
    label: 'y',
  }),
  table('names with blank ones beyond the rows', `x,c,y,,\n${rows()}`),
  table('mixed line ends', text().replace('a\n', 'a\r\n').replace('b\n', 'b\r\n')),
  table('a last line without an end', text().trimEnd()),
  textTable(
    'names of rows, as R writes them',
    '"x","z","y"\n"r1",1.5,2.5,"a"\n"r2",3.25,1,"b"\n"r3",2,2.75,"a"\n"r4",4,0.5,"b"\n"r5",6,1.5,"a"\n',
    {
      columns: {
        column0: { kind: 'left out', reasons: ['identifier', 'all-different'] },
        x: number(1.5, 3.25, 2, 4, 6),
        z: number(2.5, 1, 2.75, 0.5, 1.5),
      },
      ...told(/one cell less/),
    },
  ),
  textTable(
    'names of rows between blanks, as R writes them',
    '"x" "z" "y"\n"r1" 1.5 2.5 "a"\n"r2" 3.25 1 "b"\n"r3" 2 2.75 "a"\n"r4" 4 0.5 "b"\n"r5" 6 1.5 "a"\n',
    {
      columns: {
        column0: { kind: 'left out', reasons: ['identifier', 'all-different'] },
        x: number(1.5, 3.25, 2, 4, 6),
        z: number(2.5, 1, 2.75, 0.5, 1.5),
      },
    },
  ),
  faultyTable(
    'a name too few above columns that repeat',
    'x,y\n1.5,u,a\n3.25,u,b\n1.5,v,a\n4,v,b\n',
    /expected 2 cells|Line 2/i,
  ),
  faultyTable(
    'a ragged row in the middle',
    `x,c,y\n${repeated[0]}1,a\n${repeated.slice(1).join('')}`,
    /expected 3 cells|Line 3/i,
  ),
];

/** Shapes of delimited text. */
export const shapeTables: readonly NastyTable[] = [
  ...delimiterTables,
  ...preambleTables,
  ...quoteTables,
  ...lineTables,
];
