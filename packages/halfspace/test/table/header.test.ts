import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guessDialect, splitRecords } from '../../src/table/dialect.ts';
import { findHeader } from '../../src/table/header.ts';

const headed = (lines: readonly string[]) =>
  findHeader(
    lines.map((line) => line.split(',')),
    lines[0]!.split(',').length,
    undefined,
  ).present;

describe('a line of names', () => {
  it.each<[string, string[]]>([
    ['words above numbers', ['a,b', '1,2']],
    ['words that do not stand below', ['colour,shape', 'red,round', 'blue,square']],
    ['no name above row numbers', [',x', '0,1']],
    ['running numbers and a word', ['0,1,2,target', '5,1,2,a', '3,2,2,b', '4,4,1,a', '1,2,3,b']],
    ['running numbers only', ['0,1,2,3', '5,1,2,1', '3,2,2,0', '4,4,1,1']],
    ['years', ['2019,2020,2021,label', '100,130,128,a', '90,80,10,b']],
    ['years of unequal distance', ['1990,2000,2015,label', '100,130,128,a', '90,80,10,b']],
    ['two running numbers above fractions', ['0,1,label', '0.5,1.2,a', '0.1,1.3,b']],
    ['wavelengths', ['400.5,402.5,404.5,class', '0.5,0.52,0.51,a', '0.6,0.2,0.5,b']],
    ['words and rising numbers', ['id,label,1,10,50', '3,a,0,3,2', '4,b,1,2,0']],
    ['words above dates and amounts', ['date,price', '01/08/2022,$1.00', '02/08/2022,$3.00']],
    ['words above codes', ['code,label', 'A-1,x', 'B-2,y', 'C-3,x']],
    [
      'a name that is a value of one column of four',
      ['a,b,c,d', ...Array(9).fill('x,y,z,d'), ...Array(9).fill('p,q,r,s')],
    ],
    ['stray words among few fractions', ['x,label', '1.5,a', 'bad,b', '2.5,a', '1e999,b', '0.5,b']],
    ['a stray word among the numbers below', ['age,label', '?,a', '-,b', ...Array(20).fill('31,a')]],
  ])('may have %s', (_, lines) => {
    expect(headed(lines)).toBe(true);
  });
});

describe('a line of data', () => {
  it.each<[string, string[]]>([
    ['numbers above numbers', ['1,2,x', '3,4,y', '5,6,x']],
    ['numbers that rise as all rows do', ['1,2,3', '4,5,6', '7,8,9']],
    ['numbers that rise in the first row only by chance', ['0,1,1', '0,0,0', '1,0,1', '1,1,0']],
    ['a missing cell', ['?,setosa', 'x,virginica']],
    ['words that stand below', ['p,x', 'e,y', 'p,z']],
    ['the same word twice', ['a,a', 'b,c']],
    ['a date above dates', ['2020-01-01,x', '2020-01-02,y']],
    ['dates and amounts of the same shape as below', ['01/08/2022,$1.00', '02/08/2022,$3.00']],
    ['a stray word before measurements', ['unknown,5.1,3.5,a', '12,4.9,3.0,a', '14,4.7,3.1,b']],
    ['a stray word that stands below again', ['-,red', '12,blue', '-,green', ...Array(30).fill('7,red')]],
  ])('may have %s', (_, lines) => {
    expect(headed(lines)).toBe(false);
  });
});

const folder = fileURLToPath(new URL('../../../../node_modules/vega-datasets/data', import.meta.url));

describe('real tables', () => {
  const tables = readdirSync(folder)
    .filter((name) => /\.[ct]sv$/.test(name))
    .map((name): [string, string[][]] => {
      const text = readFileSync(join(folder, name), 'utf8').slice(0, 20_000);
      return [name, splitRecords(text, guessDialect(text, false, name.endsWith('.tsv')), false, 60).records];
    });

  it.each(tables)('have a line of names, and no other row is one: %s', (_, records) => {
    const width = records[0]!.length;
    for (const length of [2, 3, 10, records.length])
      expect(findHeader(records.slice(0, length), width, undefined).present).toBe(true);
    for (let k = 1; k < records.length - 3; k++)
      expect(findHeader(records.slice(k), width, undefined).present, records[k]!.join()).toBe(false);
  });

  it.each(tables.filter(([, records]) => records[0]!.length > 4))('may number their columns: %s', (_, records) => {
    for (const from of [0, 1, 2001]) {
      const names = records[0]!.map((__, c) => String(from + c));
      expect(findHeader([names, ...records.slice(1)], names.length, undefined).names).toEqual(names);
    }
  });
});
