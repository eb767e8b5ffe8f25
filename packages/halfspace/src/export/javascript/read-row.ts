import { listLength } from '../../features/dimension.ts';
import { structuresIn } from '../../features/record.ts';
import { keepsWords } from '../../features/table-cell.ts';
import {
  cellForm,
  isDense,
  type MeasuredColumn,
  numberLevels,
  restWidth,
  type TableEncoding,
} from '../../features/table-encoding.ts';
import type { Model } from '../../model/model.ts';
import { type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { data, field, literal } from './write.ts';

/** The part of a program that reads a row: data, and the body of `read(row)`, which puts the row's features. */
interface RowReading {
  readonly data: readonly string[];
  readonly body: readonly string[];
  /** True if features of value 0 count in the order of sums. */
  readonly dense: boolean;
}

/** Writes the reading of rows. */
export function rowReading({ features }: Model): RowReading {
  switch (features.kind) {
    case 'table':
      return tableReading(features);
    case 'indexed': {
      const { dimension, far } = features;
      const length = listLength(features);
      if (far === undefined)
        return { data: [], body: [`readNumbers(row, ${length}, (j) => (j < ${dimension} ? j : -1));`], dense: true };
      return {
        data: [`const farFeatures = positions(${data(far.indices)});`],
        body: [
          `readNumbers(row, ${length}, (j) => (j < ${far.direct} ? j : ${far.direct} + (farFeatures.get(j) ?? NaN)));`,
        ],
        dense: true,
      };
    }
    case 'named':
      return {
        data: [`const featureNames = positions(${data(features.names)});`],
        body: ['checkRecord(row);', 'readNames(row, featureNames);'],
        dense: true,
      };
    case 'hashed':
      throw new Error('hashed features are refused before');
  }
}

function tableReading(encoding: TableEncoding): RowReading {
  const { columns, crosses } = placed(encoding);
  const parts = runsOf(columns, encoding).flatMap((run) =>
    run.length < leastRun ? run.map((column) => columnReading(column, encoding)) : [runReading(run, encoding)],
  );
  const pairs = crosses.map(({ cross, columns: [a, b], counts, first }, k) => {
    const numbers = [a.first, b.first, counts[1], counts[0] * counts[1], cross.bits, first];
    return `pair(f${a.at}, f${b.at}, ${numbers.join(', ')}${cross.groups === undefined ? '' : `, groups${k}`});`;
  });
  return {
    data: [
      ...(encoding.missing === undefined && encoding.notMissing === undefined
        ? []
        : [`const missingHere = ${data(encoding.missing ?? [])};`]),
      ...parts.flatMap(({ data }) => data),
      ...crosses.flatMap(({ cross: { groups } }, k) => (groups ? [`const groups${k} = ${data(groups)};`] : [])),
    ],
    body: ['checkRecord(row);', ...parts.map(({ body }) => body), ...pairs],
    dense: isDense(encoding),
  };
}

/** Returns the names of columns beside which others have the fields of structures. */
function structuresOf({ columns }: TableEncoding): ReadonlySet<string> {
  return structuresIn(columns.map(({ name }) => name));
}

/** From this number on, columns of numbers side by side are read by a loop: shorter, and a little slower. */
const leastRun = 4;

/** Returns the columns in runs of such that a loop can read; others are alone. */
function runsOf(columns: readonly PlacedColumn[], encoding: TableEncoding): PlacedColumn[][] {
  const isPlain = ({ column, width }: PlacedColumn) =>
    column.kind === 'number' &&
    width === 1 &&
    column.notation === undefined &&
    column.edges === undefined &&
    encoding.missing === undefined &&
    !keepsWords(encoding, column.name) &&
    scalingOf(column, encoding).filled === 0 &&
    !(column.name in Object.prototype || column.name.includes('.') || structuresOf(encoding).has(column.name));
  const runs: PlacedColumn[][] = [];
  for (const column of columns) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && isPlain(last) && isPlain(column)) runs.at(-1)!.push(column);
    else runs.push([column]);
  }
  return runs;
}

function runReading(run: readonly PlacedColumn[], encoding: TableEncoding): { data: string[]; body: string } {
  const { at, first } = run[0]!;
  const scalings = run.map(({ column }) => scalingOf(column as MeasuredColumn, encoding));
  return {
    data: [
      `const names${at} = ${data(run.map(({ column }) => column.name))};`,
      `const means${at} = ${data(scalings.map(({ mean }) => mean))};`,
      `const deviations${at} = ${data(scalings.map(({ deviation }) => deviation))};`,
    ],
    body: `numbers(row, names${at}, ${first}, means${at}, deviations${at});`,
  };
}

function columnReading(placed: PlacedColumn, encoding: TableEncoding): { data: string[]; body: string } {
  const { column, at, first, width, isCrossed } = placed;
  const name = literal(column.name);
  const own = field('row', column.name);
  const raw = structuresOf(encoding).has(column.name) ? `valueBeside(${own})` : own;
  const keeps = keepsWords(encoding, column.name);
  const value =
    encoding.missing === undefined && !keepsWords(encoding, column.name) && !keeps
      ? raw
      : `unlessMissing(${raw}, missingHere${keeps ? ', true' : ''})`;
  const keep = isCrossed ? `const f${at} = ` : '';
  const last = first + width - 1;
  const absent = column.missing.indicator ? last : -1;
  if (column.kind === 'category') {
    const { rare, others } = column;
    const afterLevels = first + column.levels.length;
    const rest = others ? `${afterLevels}, ${others.bits}` : String(rare ? afterLevels : -1);
    return {
      data: [`const levels${at} = positions(${data(column.levels)});`],
      body: `${keep}one(level(asText(${value}, ${name}), ${first}, levels${at}, ${column.missing.indicator ? afterLevels + restWidth(column) : -1}, ${rest}));`,
    };
  }
  if (column.kind === 'set')
    return {
      data: [`const set${at} = setOf(${data(column)}, ${first});`],
      body: `set${at}(asSet(${value}, ${name}));`,
    };
  if (column.kind === 'text')
    return {
      data: [`const text${at} = textOf(${data(column)}, ${first});`],
      body: `text${at}(asText(${value}, ${name}));`,
    };
  const { mean, deviation, filled } = scalingOf(column, encoding);
  const form = cellForm(column);
  const reader = { number: 'asNumber', boolean: 'asBoolean', date: 'asDate' }[column.kind];
  const read =
    form === undefined
      ? { data: [], name: reader }
      : {
          data: [
            `const word${at} = wordReader(${literal(column.kind)}, ${data(form)});`,
            `const read${at} = (value, field) => ${reader}(value, field, word${at});`,
          ],
          name: `read${at}`,
        };
  const x = `${read.name}(${value}, ${name})`;
  const levels = numberLevels(column).length;
  if ('edges' in column && column.edges !== undefined)
    return {
      data: [...read.data, `const edges${at} = ${data(column.edges)};`],
      body: `${keep}one(interval(${x}, ${first}, edges${at}, ${absent}${levels > 0 ? `, ${levels}` : ''}));`,
    };
  const numbers = [name, first, mean, deviation, filled].join(', ');
  const put = (value: string, marks: boolean) => `scaled(${value}, ${numbers}${marks ? ', true' : ''});`;
  if (column.kind === 'number' && form === undefined && column.edges === undefined)
    return { data: [], body: put(value, column.missing.indicator).replace('scaled', 'number') };
  if (levels > 0)
    return {
      data: read.data,
      body: `worded(${x}, ${numbers}, ${levels}${column.missing.indicator ? ', true' : ''});`,
    };
  if (!('parts' in column) || column.parts === undefined)
    return { data: read.data, body: put(x, column.missing.indicator) };
  let next = first + 1;
  const parts = column.parts.map((part) => {
    const own = `datePart(x${at}, ${literal(part)}, ${next});`;
    next += { month: 12, weekday: 7, hour: 24 }[part];
    return own;
  });
  return {
    data: read.data,
    body: [
      `const x${at} = ${x};`,
      put(`x${at}`, false),
      `if (x${at} === x${at}) { ${parts.join(' ')} }${absent >= 0 ? ` else put(${absent}, 1);` : ''}`,
    ].join('\n  '),
  };
}
