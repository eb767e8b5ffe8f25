import { HalfspaceError, quote } from '../errors.ts';
import {
  compareCodePoints,
  dimension,
  type FilledMissing,
  type LeftMissing,
  type LeftOutColumn,
  leftOutReasons,
  type TableColumn,
  type TableEncoding,
  type TableFormat,
  type TableLabel,
} from './table-encoding.ts';

/** Models beyond these sizes are refused before memory is asked for. */
const mostColumns = 1 << 20;
const mostFeatures = 1 << 28;
const longestName = 1 << 20;

const formats: readonly TableFormat[] = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'sql', 'rows'];

/**
 * Reads a table encoding from JSON that may come from anyone. Every member is checked and copied; members that do not belong are
 * refused. Names are only ever compared, never used as keys of objects.
 *
 * @throws HalfspaceError `model-invalid`.
 */
export function parseTableEncoding(value: unknown): TableEncoding {
  const from = members(value, 'features', ['kind', 'format', 'header', 'scale', 'label', 'columns', 'leftOut']);
  const encoding: TableEncoding = {
    kind: oneOf(from.kind, 'features.kind', ['table'] as const),
    format: oneOf(from.format, 'features.format', formats),
    header: oneOf(from.header, 'features.header', [true, false, null] as const),
    scale: oneOf(from.scale, 'features.scale', ['none', 'standard'] as const),
    label: parseLabel(from.label),
    columns: list(from.columns, 'features.columns', mostColumns).map((column, c) =>
      parseColumn(column, `features.columns[${c}]`),
    ),
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
  const classes = list(from.classes, `${path}.classes`, mostColumns).map((name) => text(name, `${path}.classes`));
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
  const kind = oneOf(members(value, path).kind, `${path}.kind`, ['number', 'boolean', 'date', 'category'] as const);
  if (kind === 'category') {
    const from = members(value, path, ['kind', 'name', 'levels', 'missing']);
    const levels = list(from.levels, `${path}.levels`, mostFeatures).map((level) => text(level, `${path}.levels`));
    if (levels.includes('')) throw unfit(`${path}.levels`, 'names', 'an empty one');
    checkRising(levels, `${path}.levels`, compareCodePoints);
    const missing = members(from.missing, `${path}.missing`, ['count', 'indicator']);
    return { kind, name: text(from.name, `${path}.name`), levels, missing: parseMissing(missing, path) };
  }
  const scaled = kind !== 'boolean';
  const from = members(value, path, ['kind', 'name', 'mean', ...(scaled ? ['deviation'] : []), 'missing']);
  const name = text(from.name, `${path}.name`);
  const mean = finite(from.mean, `${path}.mean`);
  const filled = members(from.missing, `${path}.missing`, ['count', 'fill', 'indicator']);
  const { count, indicator } = parseMissing(filled, path);
  const missing: FilledMissing = { count, fill: finite(filled.fill, `${path}.missing.fill`), indicator };
  if (!scaled) return { kind, name, mean, missing };
  const deviation = finite(from.deviation, `${path}.deviation`);
  if (!(deviation > 0)) throw unfit(`${path}.deviation`, 'above 0', deviation);
  if (!Number.isFinite((missing.fill - mean) / deviation))
    throw unfit(`${path}.missing.fill`, 'a number that can be scaled', missing.fill);
  return { kind, name, mean, deviation, missing };
}

function parseMissing(from: Members, path: string): LeftMissing {
  const { count, indicator } = from;
  if (!Number.isSafeInteger(count) || (count as number) < 0)
    throw unfit(`${path}.missing.count`, 'a whole number from 0', count);
  return {
    count: count as number,
    indicator: oneOf(indicator, `${path}.missing.indicator`, [true, false] as const),
  };
}

function parseLeftOut(value: unknown, path: string): LeftOutColumn {
  const from = members(value, path, ['name', 'reason']);
  return { name: text(from.name, `${path}.name`), reason: oneOf(from.reason, `${path}.reason`, leftOutReasons) };
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object; with `expected`, exactly these. */
function members(value: unknown, path: string, expected?: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(path, 'an object', value);
  if (expected !== undefined) {
    const absent = expected.find((key) => !Object.hasOwn(value, key));
    if (absent !== undefined) throw unfit(`${path}.${absent}`, 'there', 'nothing');
    const strange = Object.keys(value).find((key) => !expected.includes(key));
    if (strange !== undefined) throw unfit(path, `an object of ${expected.join(', ')}`, strange);
  }
  return value as Members;
}

function list(value: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw unfit(path, `a list of at most ${most}`, value);
  return value;
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.length > longestName) throw unfit(path, 'a name', value);
  return value;
}

function finite(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw unfit(path, 'a finite number', value);
  return value;
}

function oneOf<T extends string | boolean | null>(value: unknown, path: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw unfit(path, choices.slice(0, 10).join(', '), value);
  return found;
}

function checkRising(names: readonly string[], path: string, compare: (a: string, b: string) => number): void {
  for (let i = 1; i < names.length; i++)
    if (compare(names[i - 1]!, names[i]!) >= 0) throw unfit(path, 'in rising order', names[i]);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function unfit(path: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('model-invalid', `expected "${path}" to be ${expected}; got ${quote(got)}`);
}
