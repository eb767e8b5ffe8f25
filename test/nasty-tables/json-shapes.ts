import type { ExpectedColumn, NastyTable } from './table.ts';

const family = 'shapes of JSON';
const number = (...values: (number | null)[]): ExpectedColumn => ({ kind: 'number', values });
const category = (...values: (string | null)[]): ExpectedColumn => ({ kind: 'category', values });

const size = [1.5, -2, 7, 0.25, 3, 12];
const colour = ['red', 'blue', 'red', 'green', 'blue', 'red'];
const y = ['a', 'b', 'a', 'b', 'b', 'a'];
const plain = { size: number(...size), colour: category(...colour) };
const objects = size.map((each, i) => ({ size: each, colour: colour[i]!, y: y[i]! }));
const names = ['size', 'colour', 'y'];
const values = size.map((each, i) => [each, colour[i]!, y[i]!]);

function json(
  name: string,
  text: unknown,
  columns: Readonly<Record<string, ExpectedColumn>> = plain,
  note?: RegExp,
  format: 'json' | 'ndjson' = 'json',
): NastyTable {
  return {
    family,
    name,
    text: typeof text === 'string' ? text : JSON.stringify(text),
    format,
    ndjson: null,
    given: { label: 'y' },
    expected: { header: true, rows: size.length, label: 'y', classes: ['a', 'b'], columns, ...(note && { note }) },
  };
}

function refused(name: string, text: unknown, fault: RegExp): NastyTable {
  return { ...json(name, text), expected: { fault } };
}

const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const indexed = <T>(list: readonly T[], key: (i: number) => string = String) =>
  Object.fromEntries(list.map((each, i) => [key(i), each]));
const schema = { fields: names.map((name) => ({ name, type: 'string' })), pandas_version: '1.4.0' };
const feature = (geometry: unknown, i: number) => ({ type: 'Feature', geometry, properties: objects[i]! });
const point = (i: number) => ({ type: 'Point', coordinates: [size[i]! + 10, 50 - size[i]!] });
const square = [
  [
    [0, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ],
]; // prettier-ignore
const within = objects.map(({ size: each, ...rest }, i) => ({
  ...rest,
  at: { size: each, to: { colour: colour[5 - i] } },
}));
const nestedColumns = {
  'at.size': number(...size),
  'at.to.colour': category(...colour.toReversed()),
  colour: plain.colour,
};
const fieldsNote = /has objects in at, at\.to: their fields are columns/;
const ids = size.map((_, i) => ({ $oid: `55f14312c7447c3da700000${i}` }));

/** The shapes in which programs write a table as JSON. */
export const jsonShapeTables: readonly NastyTable[] = [
  json('a list of objects', objects),
  json('a list of objects on lines', JSON.stringify(objects, null, 2)),
  json('objects on lines', lines(objects)),
  json('objects on lines, named ndjson', lines(objects), plain, undefined, 'ndjson'),
  json('a list of objects, named ndjson', objects, plain, undefined, 'ndjson'),
  json('objects over several lines', objects.map((each) => JSON.stringify(each, null, 2)).join('\n')),
  json('pandas: split', { columns: names, index: [0, 1, 2, 3, 4, 5], data: values }, plain, /"columns" has the names/),
  json('pandas: split over lines', JSON.stringify({ columns: names, data: values }, null, 1)),
  json(
    'pandas: tight',
    { index: [0, 1, 2, 3, 4, 5], columns: names, data: values, index_names: [null], column_names: [null] },
    plain,
    /"columns" has the names/,
  ),
  json('pandas: columns', { size: indexed(size), colour: indexed(colour), y: indexed(y) }, plain, /key is a column/),
  json(
    'pandas: columns with named rows',
    {
      size: indexed(size, (i) => `row ${i}`),
      colour: indexed(colour, (i) => `row ${i}`),
      y: indexed(y, (i) => `row ${i}`),
    },
    plain,
    /key is a column/,
  ),
  json('pandas: index', indexed(objects), plain, /key is a row/),
  json(
    'pandas: index with named rows',
    indexed(objects, (i) => `row ${i}`),
    plain,
    /key is a row/,
  ),
  json('pandas: table', { schema, data: objects }, plain, /rows are the objects in "data"/),
  json('a list for each column', { size, colour, y }, plain, /list of its values/),
  json('lists below names', [names, ...values], plain, /first list has the names/),
  json('lists below names on lines', lines([names, ...values]), plain, /first list has the names/),
  json('lists below names on lines, named ndjson', lines([names, ...values]), plain, /first list/, 'ndjson'),
  json('names and rows under other keys', { header: names, rows: values }, plain, /"header" has the names, "rows"/),
  json('fields and records', { fields: names.map((name) => ({ name })), records: values }, plain, /"fields"/),
  json('lists below names under a key', { values: [names, ...values] }, plain, /first list of "values"/),
  json('objects under a key', { data: objects }, plain, /objects in "data"/),
  json('objects under a key beside others', { count: 6, next: null, results: objects }, plain, /objects in "results"/),
  json('objects under a key of a key', { response: { ok: true, items: objects } }, plain, /"response\.items"/),
  json('objects under a key over lines', JSON.stringify({ data: objects }, null, 2), plain, /objects in "data"/),
  json('objects under a key, named ndjson', { data: objects }, plain, /objects in "data"/, 'ndjson'),
  json(
    'GeoJSON of points',
    { type: 'FeatureCollection', features: objects.map((_, i) => feature(point(i), i)) },
    { ...plain, lon: number(...size.map((each) => each + 10)), lat: number(...size.map((each) => 50 - each)) },
    /GeoJSON: properties are columns/,
  ),
  json(
    'GeoJSON of areas',
    {
      type: 'FeatureCollection',
      features: objects.map((_, i) => feature({ type: 'Polygon', coordinates: square }, i)),
    },
    plain,
    /left out: coordinates of Polygon/,
  ),
  json(
    'GeoJSON without places',
    { type: 'FeatureCollection', features: objects.map((_, i) => feature(null, i)) },
    plain,
    /GeoJSON/,
  ),
  json('objects in objects', within, nestedColumns, fieldsNote),
  json('objects in objects on lines', lines(within), nestedColumns, fieldsNote, 'ndjson'),
  json(
    'objects in objects, null in some rows',
    lines(objects.map(({ y: label }, i) => ({ at: i % 3 === 2 ? null : { size: size[i] }, label, y: label }))),
    { 'at.size': number(1.5, -2, null, 0.25, 3, null), label: category(...y) },
    /has objects in at: their fields are columns/,
  ),
  json(
    'objects in some rows, values in others',
    objects.map((each, i) => ({ ...each, size: i % 2 === 0 ? each.size : { of: each.size } })),
    {
      size: number(1.5, null, 7, null, 3, null),
      'size.of': number(null, -2, null, 0.25, null, 12),
      colour: plain.colour,
    },
    /has objects in size/,
  ),
  json(
    'empty objects',
    objects.map((each) => ({ ...each, more: {} })),
    { ...plain, more: { kind: 'left out', reasons: ['empty'] } },
  ),
  json(
    'MongoDB',
    lines(
      objects.map(({ size: each, ...rest }, i) => ({
        _id: ids[i],
        long: { $numberLong: String(each * 4) },
        decimal: { $numberDecimal: String(each) },
        double: { $numberDouble: i === 2 ? 'NaN' : String(each) },
        int: { $numberInt: String(each * 4) },
        when: { $date: `2024-01-0${i + 1}T00:00:00Z` },
        ...rest,
      })),
    ),
    {
      _id: { kind: 'left out', reasons: ['identifier', 'all different'] },
      long: number(...size.map((each) => each * 4)),
      decimal: number(...size),
      double: number(1.5, -2, null, 0.25, 3, 12),
      int: number(...size.map((each) => each * 4)),
      when: { kind: 'date', values: size.map((_, i) => 19723 + i) },
      colour: plain.colour,
    },
    /values as MongoDB writes them in _id, long/,
  ),
  json(
    'MongoDB: times as numbers',
    objects.map((each, i) => ({ ...each, when: { $date: { $numberLong: String((19723 + i) * 86_400_000) } } })),
    { ...plain, when: { kind: 'date', values: size.map((_, i) => 19723 + i) } },
    /MongoDB/,
  ),
  json('NaN, as Python writes it', JSON.stringify(objects).replace('-2', 'NaN').replace('12', 'NaN'), {
    ...plain,
    size: number(1.5, null, 7, 0.25, 3, null),
  }),
  json(
    'NaN in columns, as Python writes it',
    JSON.stringify({ size, colour, y }).replace('-2', 'NaN'),
    { ...plain, size: number(1.5, null, 7, 0.25, 3, 12) },
    /list of its values/,
  ),
  json('letters as escapes', JSON.stringify(objects).replaceAll('red', 'r\\u00e9d'), {
    ...plain,
    colour: category(...colour.map((word) => word.replace('red', 'réd'))),
  }),
  json(
    'names as escapes',
    JSON.stringify({ columns: ['größe', 'colour', 'y'], data: values }).replace('ö', '\\u00f6'),
    {
      größe: plain.size,
      colour: plain.colour,
    },
  ),
  refused(
    'an infinity',
    JSON.stringify(objects).replace('-2', 'Infinity'),
    /Infinity.*finite number|finite number.*Infinity/,
  ),
  refused('one object', objects[0], /one object|two classes/),
  refused('one object over lines', JSON.stringify(objects[0], null, 2), /one object/),
  refused('two lists of objects', { train: objects, test: objects }, /one list of objects; got "train", "test"/),
  refused('rows of other lengths', { columns: names, data: [...values, [1, 'red']] }, /expected 3 values.*2/i),
  refused('a list of other length below names', [names, ...values, [1]], /expected 3 values.*1/i),
  refused('lists without names', values, /expected an object per row; got/i),
  refused('a list of numbers', [1, 2, 3], /expected an object per row/i),
  refused('rows or columns', { a: { b: 1, c: 2 }, d: { b: 3, c: 4 } }, /may be either/),
  refused('a key twice, in an object', '[{"at":{"a":1,"a":2},"y":"a"},{"at":{"a":1},"y":"b"}]', /key.*once.*at\.a/i),
  refused(
    'a list that is cut',
    JSON.stringify(objects).slice(0, -5),
    /end of the data|expected JSON|expected an object/i,
  ),
];
