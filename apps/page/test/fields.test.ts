import { describe, expect, test } from 'vitest';
import { fieldsOf, rowOf, rowOfJson } from '../src/form/fields.ts';

const fields = fieldsOf([
  { name: 'price', kind: 'number', mean: 104.637 },
  { name: '__proto__', kind: 'category', levels: ['.', 'shoes'], otherLevels: 0 },
  { name: 'city', kind: 'category', levels: ['Bonn'], otherLevels: 4000 },
  { name: 'express', kind: 'boolean', mean: 0.2 },
  { name: 'day', kind: 'date', mean: 19_874.5, format: 'iso' },
  { name: 'week', kind: 'date', mean: 19_874, format: 'week' },
  { name: 'note', kind: 'text' },
]);

describe('the form of a model', () => {
  test('has a control for each kind of column, and usual values where some are known', () => {
    expect(fields.map(({ name, control, usual }) => [name, control, usual])).toEqual([
      ['price', 'number', '105'],
      ['__proto__', 'choice', 'shoes'],
      ['city', 'word', 'Bonn'],
      ['express', 'choice', 'false'],
      ['day', 'date', '2024-05-31'],
      ['week', 'word', ''],
      ['note', 'text', ''],
    ]);
  });

  test('makes a row without the fields that are empty, whatever they are called', () => {
    const values = new Map([
      ['price', ' 1,5 '],
      ['__proto__', 'shoes'],
      ['city', ''],
    ]);
    const typed = rowOf(fields, values);
    expect(JSON.stringify('row' in typed && typed.row)).toBe('{"price":1.5,"__proto__":"shoes"}');
    expect(rowOf(fields, new Map([['price', '−2e3']]))).toEqual({ row: { price: -2000 } });
  });

  test('tells the field that has no number', () => {
    for (const price of ['heavy', 'Infinity', '1,234,5'])
      expect(rowOf(fields, new Map([['price', price]]))).toEqual({
        wrong: `“price” must be a number; got “${price}”.`,
        field: 'price',
      });
  });

  test('takes JSON of rows only', () => {
    expect(rowOfJson('[1, 2]')).toEqual({ row: [1, 2] });
    for (const text of ['', '1', 'null', '{']) expect(rowOfJson(text)).toHaveProperty('wrong');
  });
});
