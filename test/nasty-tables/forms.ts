import { delimited, type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('forms');
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const category = (...values: (string | null)[]) => ({ kind: 'category' as const, values });

const lines = ['x,z,y', '1.5,2.5,a', '3.25,1,b', '2,2.75,a', '4,0.5,b'];
const columns = { x: number(1.5, 3.25, 2, 4), z: number(2.5, 1, 2.75, 0.5) };
const plain = { rows: 4, columns };

const cities = 'Stadt,z,y\nKöln,2.5,a\nZürich,1,b\nKöln,2.75,a\nZürich,0.5,b\n';
const readCities = { rows: 4, columns: { Stadt: category('Köln', 'Zürich', 'Köln', 'Zürich'), z: columns.z } };

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Encodes as UTF-16. @param mark true to begin with a byte order mark. */
function utf16(text: string, order: 'little' | 'big', mark: boolean): Uint8Array {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return Uint8Array.from(
    (mark ? [0xfeff, ...units] : units).flatMap((unit) =>
      order === 'little' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
    ),
  );
}

const wide = Array.from({ length: 300 }, (_, c) => `f${c}`);
const wideRow = (i: number) => wide.map((_, c) => ((i * 37 + c * 11) % 100) / 4);

/** Delimiters, line ends, quotes, encodings, and lines of other lengths. */
export const formTables: readonly NastyTable[] = [
  textTable('tabs', `${lines.join('\n').replaceAll(',', '\t')}\n`, plain, { tabs: true }),
  textTable('tabs in a file named csv', `${lines.join('\n').replaceAll(',', '\t')}\n`, plain),
  textTable('semicolons', `${lines.join('\n').replaceAll(',', ';')}\n`, plain),
  textTable('bars', `${lines.join('\n').replaceAll(',', '|')}\n`, plain),
  textTable('CRLF', `${lines.join('\r\n')}\r\n`, plain),
  textTable('CR', `${lines.join('\r')}\r`, plain),
  textTable('no end of the last line', lines.join('\n'), plain),
  textTable('blank lines at the end', `${lines.join('\n')}\n\n\n`, plain),
  textTable('blank lines between rows', `${lines.join('\n\n')}\n`, plain),
  textTable('delimiters at the end of each line', `${lines.join(',\n')},\n`, {
    rows: 4,
    columns: { ...columns, column3: { kind: 'left out', reasons: ['empty'] } },
  }),
  textTable('delimiters at the end of each row', `${lines[0]}\n${lines.slice(1).join(',\n')},\n`, plain),
  textTable('blanks behind delimiters', `${lines.join('\n').replaceAll(',', ', ')}\n`, plain),
  textTable('all cells in quotes', delimited(lines.map((line) => line.split(','))).replace(/[^,\n]+/g, '"$&"'), plain),
  textTable(
    'the line that spreadsheets write for the delimiter',
    `sep=;\n${lines.join('\n').replaceAll(',', ';')}\n`,
    plain,
  ),
  textTable('comments before the names', `# measured in May\n# by hand\n${lines.join('\n')}\n`, plain),
  textTable('quotes within cells', 'name,z,y\n"say ""hi""",2.5,a\nho,1,b\n"say ""hi""",2.75,a\nho,0.5,b\n', {
    columns: { name: category('say "hi"', 'ho', 'say "hi"', 'ho'), z: columns.z },
  }),
  textTable(
    'quotes behind backslashes',
    'name,z,y\n"say \\"hi\\", ho",2.5,a\nho,1,b\n"say \\"hi\\", ho",2.75,a\nho,0.5,b\n',
    { columns: { name: category('say "hi", ho', 'ho', 'say "hi", ho', 'ho'), z: columns.z } },
  ),
  textTable('line ends in cells', 'name,z,y\n"two\nlines",2.5,a\none,1,b\n"two\nlines",2.75,a\none,0.5,b\n', {
    columns: { name: category('two\nlines', 'one', 'two\nlines', 'one'), z: columns.z },
  }),
  textTable('inches, which are no quotes', 'size,z,y\n5",2.5,a\n7",1,b\n5",2.75,a\n7",0.5,b\n', {
    columns: { size: { kind: 'number', values: [5, 7, 5, 7] }, z: columns.z },
  }),
  textTable('apostrophes', "name,z,y\nO'Neil,2.5,a\nAl,1,b\nO'Neil,2.75,a\nAl,0.5,b\n", {
    columns: { name: category("O'Neil", 'Al', "O'Neil", 'Al'), z: columns.z },
  }),
  textTable('semicolons in cells between commas', 'name,z,y\na;b,2.5,a\nc;d,1,b\na;b,2.75,a\nc;d,0.5,b\n', {
    columns: { name: category('a;b', 'c;d', 'a;b', 'c;d'), z: columns.z },
  }),
  faultyTable('a row that is too long', `${lines.join('\n')}\n1,2,3,4\n`, /expected 3 cells.*4|4 cells|Line 6/i),
  faultyTable('a row that is too short', `${lines.join('\n')}\n1,2\n`, /expected 3 cells.*2|2 cells|Line 6/i),
  faultyTable('a quote that does not end', `${lines.join('\n')}\n"1,2,a\n`, /quot/i),
  textTable('Latin-1, given', latin1(cities), readCities, { encoding: 'latin1' }),
  faultyTable('Latin-1, not given', latin1(cities), /UTF-8/),
  textTable('UTF-16 with a mark', utf16(cities, 'little', true), readCities),
  textTable('UTF-16 of big numbers with a mark', utf16(cities, 'big', true), readCities),
  textTable('UTF-16 without a mark, given', utf16(cities, 'little', false), readCities, {
    encoding: 'utf-16le',
  }),
  textTable('UTF-16 without a mark, not given', utf16(cities, 'little', false), {
    ...readCities,
    note: /is read as utf-16le.*--encoding/,
  }),
  textTable('UTF-8 with a mark', new TextEncoder().encode(`\ufeff${cities}`), readCities),
  textTable(
    'many columns',
    delimited([[...wide, 'y'], ...['a', 'b', 'a', 'b'].map((label, i) => [...wideRow(i).map(String), label])]),
    { columns: Object.fromEntries(wide.map((name, c) => [name, number(...[0, 1, 2, 3].map((i) => wideRow(i)[c]!))])) },
  ),
  faultyTable('one column', 'y\na\nb\na\n', /column to learn from|only one column/i),
  textTable('two rows', 'x,y\n1.5,a\n2.5,b\n', { columns: { x: number(1.5, 2.5) } }),
  faultyTable('one row', 'x,y\n1.5,a\n', /two classes|2 classes/i),
  faultyTable('nothing', '', /expected|nothing/i),
  faultyTable('blanks only', ' \n\n  \n', /expected|nothing/i),
  faultyTable(
    'a page instead of a table',
    '<!DOCTYPE html>\n<html><body><p>Not found, sorry</p></body></html>\n',
    /expected|only one column|HTML/i,
  ),
];
