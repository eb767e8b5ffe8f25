import { quote, quoteNames } from '../../errors.ts';
import { parsed, skipSpace, stringEnd, valueEnd, withoutNaN } from './object.ts';

/*
 * Shapes of a table in JSON other than objects one after the other: a list of lists whose first has the names, and one
 * object with all rows. Rows become the texts of objects, so digits stay as they are written.
 */

/** Rows of a document as texts of objects, and a note on its shape; or the reason why it is no table. */
type DocumentRows = { readonly rows: readonly string[]; readonly note: string } | { readonly fault: string };

export const oneObject = 'expected a list of objects, or an object per line; got one object';

/** Returns the rows of one object. @param text valid JSON but for NaN and infinities. */
export function documentRows(text: string): DocumentRows {
  const members = membersOf(text);
  return (
    features(members) ??
    columnsAndRows(members) ??
    columnLists(members) ??
    objectsWithin(members) ??
    columnObjects(members) ?? { fault: oneObject }
  );
}

type Member = readonly [key: string, text: string];

const isObject = (text: string) => text[0] === '{';
const isList = (text: string) => text[0] === '[';
const isScalar = (text: string) => !isObject(text) && !isList(text);

/** Returns the members of the text of an object. */
function membersOf(text: string): Member[] {
  const members: Member[] = [];
  for (let p = skipSpace(text, skipSpace(text, 0) + 1); text[p] !== '}'; ) {
    const keyEnd = stringEnd(text, p);
    const key = JSON.parse(text.slice(p, keyEnd)) as string;
    p = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = endOf(text, p);
    members.push([key, text.slice(p, to)]);
    p = skipSpace(text, to);
    if (text[p] === ',') p = skipSpace(text, p + 1);
  }
  return members;
}

/** Returns the texts of the items of a list. */
function itemsOf(text: string): string[] {
  const items: string[] = [];
  for (let p = skipSpace(text, skipSpace(text, 0) + 1); text[p] !== ']'; ) {
    const to = endOf(text, p);
    items.push(text.slice(p, to));
    p = skipSpace(text, to);
    if (text[p] === ',') p = skipSpace(text, p + 1);
  }
  return items;
}

const scalar = /[^,\]}\s]+/y;

function endOf(text: string, p: number): number {
  if (text[p] === '"') return stringEnd(text, p);
  if (text[p] === '{' || text[p] === '[') return valueEnd(text, p, 0);
  scalar.lastIndex = p;
  scalar.test(text);
  return scalar.lastIndex;
}

function rowOf(names: readonly string[], values: readonly (string | undefined)[]): string {
  const members = names.flatMap((name, c) => (values[c] === undefined ? [] : [`${JSON.stringify(name)}:${values[c]}`]));
  return `{${members.join()}}`;
}

/** Returns the text of a scalar: words without quotes. */
function word(text: string): string {
  return text[0] === '"' ? (JSON.parse(text) as string) : text;
}

/** Returns the names in the first of several lists; null: it holds other values, or equal ones. */
export function listNames(text: string): readonly string[] | null {
  const items = itemsOf(text);
  const isNames = items.length > 0 && items.every((item) => item[0] === '"') && new Set(items).size === items.length;
  return isNames ? items.map(word) : null;
}

/** Returns the row of a list of values as the text of an object; a text is a fault. */
export function listRow(names: readonly string[], text: string): { readonly row: string } | { readonly fault: string } {
  const values = itemsOf(text);
  return values.length === names.length
    ? { row: rowOf(names, values) }
    : { fault: `expected ${names.length} values, as the first list has names; got ${values.length}` };
}

/** A list of GeoJSON's features: their properties, and the coordinates of points. */
function features(members: readonly Member[]): DocumentRows | null {
  const given = new Map(members);
  const list = given.get('features');
  if (given.get('type') !== '"FeatureCollection"' || list === undefined || !isList(list)) return null;
  const others = new Set<string>();
  const rows = itemsOf(list).map((feature) => {
    const parts = new Map(isObject(feature) ? membersOf(feature) : []);
    const own = new Map(isObject(parts.get('properties') ?? '') ? membersOf(parts.get('properties')!) : []);
    const add = (name: string, value: string | undefined) => {
      if (value !== undefined) own.set(own.has(name) ? `geometry.${name}` : name, value);
    };
    const geometry = new Map(isObject(parts.get('geometry') ?? '') ? membersOf(parts.get('geometry')!) : []);
    const type = geometry.get('type');
    if (type === '"Point"') {
      const [lon, lat, height] = itemsOf(geometry.get('coordinates') ?? '[]');
      add('lon', lon);
      add('lat', lat);
      add('height', height);
    } else if (type !== undefined) others.add(word(type));
    return rowOf([...own.keys()], [...own.values()]);
  });
  const left = others.size === 0 ? '' : `; left out: coordinates of ${[...others].join(', ')}`;
  return { rows, note: `GeoJSON: properties are columns, and coordinates of points are lon and lat${left}` };
}

/** A list of names, and a list of rows, which are lists of values: `{"columns": [...], "data": [[...]]}`. */
function columnsAndRows(members: readonly Member[]): DocumentRows | null {
  const lists = members.flatMap(([key, text]) => (isList(text) ? [{ key, items: itemsOf(text) }] : []));
  const rows = lists.filter(({ items }) => items.length > 0 && items.every(isList));
  const [matrix] = rows;
  if (matrix === undefined || rows.length > 1) return null;
  const table = matrix.items.map(itemsOf);
  const width = table[0]!.length;
  const named = lists.flatMap(({ key, items }) => {
    const names = items.map(nameIn).filter((name) => name !== null);
    return names.length === width && items.length === width ? [{ key, names }] : [];
  });
  const usual = named.filter(({ key }) => /^(columns?|headers?|fields?|names?|keys|schema)$/i.test(key));
  const [found] = usual.length === 1 ? usual : named;
  if (found === undefined || (named.length > 1 && usual.length !== 1)) {
    const [first, ...others] = table;
    if (!first!.every((item) => item[0] === '"') || others.length === 0) return null;
    return zipped(first!.map(word), others, `the first list of ${quote(matrix.key)} has the names`);
  }
  return zipped(found.names, table, `${quote(found.key)} has the names, ${quote(matrix.key)} the rows`);
}

/** Returns a name: a text, or the member `name` of an object. */
function nameIn(text: string): string | null {
  const name = isObject(text) ? new Map(membersOf(text)).get('name') : text;
  return name?.[0] === '"' ? word(name) : null;
}

function zipped(names: readonly string[], table: readonly (readonly string[])[], note: string): DocumentRows {
  const other = table.findIndex((row) => row.length !== names.length);
  if (other !== -1)
    return { fault: `expected ${names.length} values in every row; got ${table[other]!.length} in row ${other + 1}` };
  return { rows: table.map((row) => rowOf(names, row)), note };
}

/** A list of values for each column: `{"a": [1, 2], "b": ["x", "y"]}`. */
function columnLists(members: readonly Member[]): DocumentRows | null {
  if (members.length < 2 || !members.every(([, text]) => isList(text))) return null;
  const lists = members.map(([, text]) => itemsOf(text));
  if (!lists.every((items) => items.length === lists[0]!.length && items.every(isScalar))) return null;
  const names = members.map(([key]) => key);
  return {
    rows: lists[0]!.map((_, row) =>
      rowOf(
        names,
        lists.map((items) => items[row]!),
      ),
    ),
    note: 'each key is a column, and has a list of its values',
  };
}

/** One list of objects under any key, also within objects: `{"result": {"data": [{...}]}}`. */
function objectsWithin(members: readonly Member[]): DocumentRows | null {
  const found: { path: string; items: string[] }[] = [];
  const search = (some: readonly Member[], prefix: string) => {
    for (const [key, text] of some)
      if (isObject(text)) search(membersOf(text), `${prefix}${key}.`);
      else if (isList(text)) {
        const items = itemsOf(text);
        if (items.length > 0 && items.every(isObject)) found.push({ path: prefix + key, items });
      }
  };
  search(members, '');
  // A description of the columns, as pandas writes it, is no table.
  const tables = found.filter(({ path }) => found.length === 1 || !/^schema\./.test(path));
  const [table] = tables;
  if (table === undefined) return null;
  if (tables.length > 1)
    return {
      fault: `expected one list of objects; got ${quoteNames(tables.map(({ path }) => path))}: save one of them`,
    };
  return { rows: table.items, note: `the rows are the objects in ${quote(table.path)}` };
}

/** An object of values for each column, by row, or for each row, by column: pandas' `columns` and `index`. */
function columnObjects(members: readonly Member[]): DocumentRows | null {
  if (members.length < 2 || !members.every(([, text]) => isObject(text))) return null;
  const inner = members.map(([key, text]) => [key, new Map(membersOf(text))] as const);
  if (!inner.every(([, map]) => map.size > 0 && [...map.values()].every(isScalar))) return null;
  const outerNames = inner.map(([key]) => key);
  const innerNames = [...new Set(inner.flatMap(([, map]) => [...map.keys()]))];
  const isNumbered = (names: readonly string[]) => names.every((name) => /^\d+$/.test(name));
  const byColumn = {
    isOne: () => inner.every(([, map]) => isOfOneType([...map.values()])),
    shape: (): DocumentRows => ({
      rows: innerNames.map((row) =>
        rowOf(
          outerNames,
          inner.map(([, map]) => map.get(row)),
        ),
      ),
      note: 'each key is a column, and has its values by row',
    }),
  };
  const byRow = {
    isOne: () => innerNames.every((name) => isOfOneType(inner.flatMap(([, map]) => map.get(name) ?? []))),
    shape: (): DocumentRows => ({
      rows: inner.map(([, map]) => rowOf([...map.keys()], [...map.values()])),
      note: 'each key is a row, and has its values by column',
    }),
  };
  if (isNumbered(outerNames) !== isNumbered(innerNames)) return (isNumbered(innerNames) ? byColumn : byRow).shape();
  if (byColumn.isOne() !== byRow.isOne()) return (byColumn.isOne() ? byColumn : byRow).shape();
  return { fault: 'expected rows or columns by name; got objects that may be either: save a list of objects' };
}

function isOfOneType(values: readonly string[]): boolean {
  const types = new Set(
    values.filter((value) => value !== 'null' && value !== 'NaN').map((value) => typeof parsed(withoutNaN(value))),
  );
  return types.size <= 1;
}
