import { checkRising, finite, list, type Members, members, oneOf, text, texts, unfit, whole } from '../json.ts';
import { dateParts } from './date/parts.ts';
import { isPartList } from './feature-options.ts';
import {
  columnKinds,
  columnsByName,
  compareCodePoints,
  crossPairs,
  dimension,
  type FilledMissing,
  isOneHot,
  type LeftMissing,
  type LeftOutColumn,
  leftOutReasons,
  type RareLevels,
  type TableColumn,
  type TableCross,
  type TableEncoding,
  type TableFormat,
  type TableLabel,
} from './table-encoding.ts';
import { parseTextColumn } from './text/parse.ts';

/** Limits that are checked before memory is allocated. */
const mostColumns = 1 << 20;
const mostFeatures = 1 << 28;
const mostBits = 24;

const formats: readonly TableFormat[] = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'sql', 'rows'];

/**
 * Reads a table encoding from untrusted JSON. Checks and copies every member; refuses unknown members. Names are only
 * compared, never used as keys of objects.
 *
 * @throws HalfspaceError `model-invalid`.
 */
export function parseTableEncoding(value: unknown): TableEncoding {
  const from = members(
    value,
    'features',
    ['kind', 'format', 'header', 'scale', 'label', 'columns', 'leftOut'],
    ['crosses'],
  );
  const columns = list(from.columns, 'features.columns', mostColumns).map((column, c) =>
    parseColumn(column, `features.columns[${c}]`),
  );
  const encoding: TableEncoding = {
    kind: oneOf(from.kind, 'features.kind', ['table'] as const),
    format: oneOf(from.format, 'features.format', formats),
    header: oneOf(from.header, 'features.header', [true, false, null] as const),
    scale: oneOf(from.scale, 'features.scale', ['none', 'standard'] as const),
    label: parseLabel(from.label),
    columns,
    ...(from.crosses === undefined ? {} : { crosses: parseCrosses(from.crosses, columns) }),
    leftOut: list(from.leftOut, 'features.leftOut', mostColumns).map((column, c) =>
      parseLeftOut(column, `features.leftOut[${c}]`),
    ),
  };
  const names = [encoding.label.column, ...encoding.columns.map(nameOf), ...encoding.leftOut.map(nameOf)];
  if (new Set(names).size < names.length) throw unfit('features', 'columns of different names', 'a name twice');
  if (!(dimension(encoding) <= mostFeatures))
    throw unfit('features', `at most ${mostFeatures} features`, dimension(encoding));
  return encoding;
}

function parseLabel(value: unknown): TableLabel {
  const path = 'features.label';
  const from = members(value, path, ['column', 'type', 'classes', 'positive', 'negative']);
  const type = oneOf(from.type, `${path}.type`, ['number', 'text'] as const);
  const classes = texts(from.classes, `${path}.classes`, mostColumns);
  if (classes.length < 2) throw unfit(`${path}.classes`, 'at least two classes', classes.length);
  if (type === 'number' && !classes.every((name) => Number.isFinite(Number(name)) && String(Number(name)) === name))
    throw unfit(`${path}.classes`, 'numbers', classes.join(', '));
  checkRising(classes, `${path}.classes`, type === 'number' ? (a, b) => Number(a) - Number(b) : compareCodePoints);
  const positive =
    from.positive === null && classes.length > 2 ? null : oneOf(from.positive, `${path}.positive`, classes);
  const negative = classes.length === 2 ? classes.find((name) => name !== positive)! : null;
  return {
    column: text(from.column, `${path}.column`),
    type,
    classes,
    positive,
    negative: oneOf(from.negative, `${path}.negative`, [negative]),
  };
}

function parseColumn(value: unknown, path: string): TableColumn {
  const kind = oneOf(members(value, path).kind, `${path}.kind`, columnKinds);
  if (kind === 'text') return parseTextColumn(value, path, parseLeftMissing);
  if (kind === 'category') {
    const from = members(value, path, ['kind', 'name', 'levels', 'missing'], ['rare']);
    const levels = texts(from.levels, `${path}.levels`, mostFeatures);
    if (levels.includes('')) throw unfit(`${path}.levels`, 'names', 'an empty one');
    checkRising(levels, `${path}.levels`, compareCodePoints);
    const rare = from.rare === undefined ? {} : { rare: parseRare(from.rare, `${path}.rare`) };
    return {
      kind,
      name: text(from.name, `${path}.name`),
      levels,
      ...rare,
      missing: parseLeftMissing(from.missing, path),
    };
  }
  const scaled = kind !== 'boolean';
  const optional = kind === 'date' ? ['edges', 'parts'] : scaled ? ['edges'] : [];
  const from = members(value, path, ['kind', 'name', 'mean', ...(scaled ? ['deviation'] : []), 'missing'], optional);
  const name = text(from.name, `${path}.name`);
  const mean = finite(from.mean, `${path}.mean`);
  const filled = members(from.missing, `${path}.missing`, ['count', 'fill', 'indicator']);
  const { count, indicator } = parseMissing(filled, path);
  const missing: FilledMissing = { count, fill: finite(filled.fill, `${path}.missing.fill`), indicator };
  if (!scaled) return { kind, name, mean, missing };
  const deviation = finite(from.deviation, `${path}.deviation`);
  if (!(deviation > 0)) throw unfit(`${path}.deviation`, 'above 0', deviation);
  if (!Number.isFinite(1 / deviation)) throw unfit(`${path}.deviation`, 'a number with a finite reciprocal', deviation);
  if (!Number.isFinite((missing.fill - mean) / deviation))
    throw unfit(`${path}.missing.fill`, 'a number that can be scaled', missing.fill);
  const edges = from.edges === undefined ? {} : { edges: parseEdges(from.edges, `${path}.edges`) };
  if (kind === 'number' || from.parts === undefined) return { kind, name, mean, deviation, ...edges, missing };
  if (!isPartList(from.parts) || from.parts.length === 0 || from.edges !== undefined)
    throw unfit(`${path}.parts`, `some of ${dateParts.join(', ')}, in this order and not with edges`, from.parts);
  return { kind, name, mean, deviation, parts: [...from.parts], missing };
}

function parseEdges(value: unknown, path: string): readonly number[] {
  const edges = list(value, path, mostColumns).map((edge) => finite(edge, path));
  if (edges.length === 0) throw unfit(path, 'at least one number', 'none');
  checkRising(edges, path, (a, b) => a - b);
  return edges;
}

function parseRare(value: unknown, path: string): RareLevels {
  const { least, levels } = members(value, path, ['least', 'levels']);
  return { least: whole(least, `${path}.least`, 2), levels: whole(levels, `${path}.levels`, 2) };
}

function parseCrosses(value: unknown, columns: readonly TableColumn[]): readonly TableCross[] {
  const all = columnsByName(columns);
  const crosses = list(value, 'features.crosses', mostColumns).map((cross, k) => {
    const path = `features.crosses[${k}]`;
    const from = members(cross, path, ['columns', 'bits']);
    const names = texts(from.columns, `${path}.columns`, 2);
    const known = names.map((name) => all.get(name));
    if (
      names.length !== 2 ||
      names[0] === names[1] ||
      !known.every((column) => column !== undefined && isOneHot(column))
    )
      throw unfit(`${path}.columns`, 'two columns of categories or intervals', from.columns);
    const pair = [names[0]!, names[1]!] as const;
    const bits = whole(from.bits, `${path}.bits`, 0, Math.min(mostBits, Math.ceil(Math.log2(crossPairs(pair, all)))));
    return { columns: pair, bits };
  });
  if (crosses.length === 0) throw unfit('features.crosses', 'at least one cross, or absent', 'none');
  return crosses;
}

function parseLeftMissing(value: unknown, path: string): LeftMissing {
  return parseMissing(members(value, `${path}.missing`, ['count', 'indicator']), path);
}

function parseMissing(from: Members, path: string): LeftMissing {
  return {
    count: whole(from.count, `${path}.missing.count`, 0),
    indicator: oneOf(from.indicator, `${path}.missing.indicator`, [true, false] as const),
  };
}

function parseLeftOut(value: unknown, path: string): LeftOutColumn {
  const from = members(value, path, ['name', 'reason']);
  return { name: text(from.name, `${path}.name`), reason: oneOf(from.reason, `${path}.reason`, leftOutReasons) };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
