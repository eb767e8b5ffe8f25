import { HalfspaceError } from '../../errors.ts';
import { crossSlot, groupsOf } from '../../features/cross/pair.ts';
import { type DatePart, partWidths } from '../../features/date/parts.ts';
import { missingWordsIn } from '../../features/table-cell.ts';
import {
  type CategoryColumn,
  type CrossGroups,
  hasTerms,
  type MeasuredColumn,
  type TableEncoding,
} from '../../features/table-encoding.ts';
import type { Model } from '../../model/model.ts';
import { type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { type Graph, types } from './graph.ts';

/** Dates beyond this number of days from 1970 have no month, as in the library. */
const mostDays = 1e8;

/** The number of a part of a date, from 0: January, Monday, 0:00; the part's width for none. Whole numbers: [N, 1]. */
interface DayPart {
  readonly part: DatePart;
  readonly index: string;
}

/** Adds the parts of a date to a graph. @param date doubles: days since 1970, NaN for a missing date: [N, 1]. */
function dayParts(date: string, parts: readonly DatePart[], graph: Graph): DayPart[] {
  const double = (value: number) => graph.doubles([value], [1]);
  const whole = (value: number) => graph.wholes([value], [1]);
  const floor = graph.node('Floor', [date]);
  const isDay = graph.node('LessOrEqual', [graph.node('Abs', [floor]), double(mostDays)]); // false for NaN
  const days = graph.node('Cast', [graph.node('Where', [isDay, floor, double(0)])], { to: types.int64 });
  const indexOf = {
    month: () => {
      // Years begin in March, so that the leap day is the last one, and 400 years are a period of 146097 days. 719468
      // days lie between 1 March 0 and 1970; a thousand periods more keep all numbers positive.
      const shifted = graph.node('Add', [days, whole(719468 + 146097 * 1000)]);
      const ofEra = graph.node('Mod', [shifted, whole(146097)]);
      const per = (length: number) => graph.node('Div', [ofEra, whole(length)]);
      const sum = graph.node('Add', [graph.node('Sub', [ofEra, per(1460)]), per(36524)]);
      const year = graph.node('Div', [graph.node('Sub', [sum, per(146096)]), whole(365)]);
      const leaps = graph.node('Sub', [graph.node('Div', [year, whole(4)]), graph.node('Div', [year, whole(100)])]);
      const before = graph.node('Add', [graph.node('Mul', [year, whole(365)]), leaps]);
      const ofYear = graph.node('Sub', [ofEra, before]);
      const scaled = graph.node('Add', [graph.node('Mul', [ofYear, whole(5)]), whole(2)]);
      const fromMarch = graph.node('Div', [scaled, whole(153)]);
      return graph.node('Mod', [graph.node('Add', [fromMarch, whole(2)]), whole(12)]);
    },
    // 1970-01-01 was a Thursday. The remainder has the sign of the divisor.
    weekday: () => graph.node('Mod', [graph.node('Add', [days, whole(3)]), whole(7)]),
    hour: () => {
      const share = graph.node('Where', [isDay, graph.node('Sub', [date, floor]), double(0)]);
      const seconds = graph.node('Add', [graph.node('Mul', [share, double(86_400)]), double(0.5)]);
      const hours = graph.node('Div', [graph.node('Floor', [seconds]), double(3600)]);
      const hour = graph.node('Cast', [graph.node('Floor', [hours])], { to: types.int64 });
      return graph.node('Min', [hour, whole(23)]);
    },
  };
  return parts.map((part) => ({
    part,
    index: graph.node('Where', [isDay, indexOf[part](), whole(partWidths[part])]),
  }));
}

/** The rows of a batch in a graph. */
export interface OnnxRows {
  /** Numbers, as linear models have them; null: there are none. */
  readonly measured: Measured | null;
  /** Groups of features of which at most one is 1. */
  readonly choices: readonly Choice[];
}

interface Measured {
  /** Scaled doubles without NaN: [N, M]. */
  readonly values: string;
  /** True for missing values: [N, M]; null: no value may be missing. */
  readonly missing: string | null;
  /** The M features. */
  readonly features: readonly number[];
  /** The features that are 1 for a missing value; −1: none. */
  readonly indicators: readonly number[];
}

interface Choice {
  /** Whole numbers: [N, 1]. */
  readonly index: string;
  /** The feature for each value of the index; −1: none. */
  readonly features: readonly number[];
}

/** Crosses have a row of weights for each pair; more would make files too large. */
const mostPairs = 2 ** 20;

/** Adds the inputs of a model to a graph, and their features. @throws HalfspaceError `option-invalid`. */
export function readRows({ features }: Model, graph: Graph): OnnxRows {
  switch (features.kind) {
    case 'table':
      return tableRows(features, graph);
    case 'indexed':
      if (features.far !== undefined)
        throw refused('indices that are positions in a row', 'very large ones, of which a row would have all before');
      return listRows(features.dimension, graph);
    case 'named':
      return listRows(features.names.length, graph);
    case 'hashed':
      throw refused('features with names or numbers', 'hashed text: ONNX has no operator that reads it');
  }
}

function listRows(dimension: number, graph: Graph): OnnxRows {
  const values = graph.input('features', 'double', ['N', dimension]);
  const features = Array.from({ length: dimension }, (_, j) => j);
  return { measured: { values, missing: null, features, indicators: features.map(() => -1) }, choices: [] };
}

/** A column whose value is one choice, without crosses. */
interface ChosenColumn {
  readonly choice: Choice;
  readonly placed: PlacedColumn;
}

function tableRows(encoding: TableEncoding, graph: Graph): OnnxRows {
  const { columns, crosses } = placed(encoding);
  for (const { column } of columns) {
    if (hasTerms(column))
      throw refused(
        'a model of numbers, dates and categories',
        `one with the ${column.kind} ${column.name}: ONNX has no operator that splits it into ${column.kind === 'set' ? 'values' : 'words'}; use JavaScript, or drop the column`,
      );
    if (column.kind === 'category' && column.others)
      throw refused('categories with listed levels', `hashed ones in ${column.name}: use JavaScript`);
  }
  if (columns.length === 0) throw refused('a model with columns', 'one without');
  // In ONNX an empty name stands for an input that is not there.
  if (columns.some(({ column }) => column.name === '')) throw refused('columns with names', 'one without a name');
  // All inputs come first: no other value may take their names.
  for (const { column } of columns)
    graph.input(column.name, column.kind === 'category' ? 'string' : 'double', ['N', 1]);
  const chosen = columns.flatMap((each): ChosenColumn[] => {
    const { column } = each;
    if (column.kind === 'category') return [{ placed: each, choice: levelChoice(each, column, encoding, graph) }];
    if ('edges' in column && column.edges !== undefined)
      return [{ placed: each, choice: intervalChoice(each, column, column.edges, encoding, graph) }];
    return [];
  });
  const isChosen = new Set(chosen.map(({ placed }) => placed));
  const measured = columns.filter((each) => !isChosen.has(each));
  const parts = measured.flatMap(({ column, first }) => {
    if (column.kind !== 'date' || column.parts === undefined) return [];
    let next = first + 1;
    return dayParts(column.name, column.parts, graph).map(({ part, index }): Choice => {
      const features = [...range(next, partWidths[part]), -1];
      next += partWidths[part];
      return { index, features };
    });
  });
  const byName = new Map(chosen.map((each) => [each.placed.column.name, each]));
  const pairs = crosses.map(({ cross, columns: [a, b], counts, first }): Choice => {
    const one = groupsOfChoice(byName.get(a.column.name)!, cross.groups?.[0], graph);
    const other = groupsOfChoice(byName.get(b.column.name)!, cross.groups?.[1], graph);
    const count = one.groups.length * other.groups.length;
    if (count > mostPairs)
      throw refused(
        `crosses of at most ${mostPairs} pairs`,
        `${count} of ${cross.columns.join(' and ')}: use JavaScript or C`,
      );
    const features = one.groups.flatMap((f) =>
      other.groups.map((g) =>
        f < 0 || g < 0 ? -1 : first + crossSlot(f * counts[1] + g, counts[0] * counts[1], cross.bits),
      ),
    );
    const scaled = graph.node('Mul', [one.index, graph.wholes([other.groups.length], [1])]);
    return { index: graph.node('Add', [scaled, other.index]), features };
  });
  return {
    measured: measured.length === 0 ? null : measuredColumns(measured, encoding, graph),
    choices: [...chosen.map(({ choice }) => choice), ...parts, ...pairs],
  };
}

/** Returns the group of a choice in a cross: whole numbers [N, 1], and the group for each; −1: none. */
function groupsOfChoice(
  { choice: { index, features }, placed }: ChosenColumn,
  starts: CrossGroups | undefined,
  graph: Graph,
): { readonly index: string; readonly groups: readonly number[] } {
  const of = groupsOf(placed, starts);
  const groups = features.map((feature) => (feature < 0 ? -1 : of[feature - placed.first]!));
  if (starts == null) return { index, groups };
  const places = groups.map((group) => (group < 0 ? starts.length + 1 : group));
  return {
    index: graph.node('Gather', [graph.wholes(places, [places.length]), index]),
    groups: [...range(0, starts.length + 1), -1],
  };
}

function measuredColumns(columns: readonly PlacedColumn[], encoding: TableEncoding, graph: Graph): Measured {
  const names = columns.map(({ column }) => column.name);
  const row = (values: readonly number[]) => graph.doubles(values, [1, values.length]);
  const scalings = columns.map(({ column }) => scalingOf(column as MeasuredColumn, encoding));
  const raw = graph.node('Concat', names, { axis: 1 });
  const centred = graph.node('Sub', [raw, row(scalings.map(({ mean }) => mean))]);
  const scaled = graph.node('Div', [centred, row(scalings.map(({ deviation }) => deviation))]);
  const isNumber = columns.map(({ column }) => column.kind === 'number');
  const missing = missingNumbers(encoding).reduce(
    (sum, word) => {
      const words = graph.node('Equal', [raw, row(isNumber.map((own) => (own ? word : Number.NaN)))]);
      return graph.node('Or', [sum, words]);
    },
    graph.node('IsNaN', [raw]),
  );
  return {
    values: graph.node('Where', [missing, row(scalings.map(({ filled }) => filled)), scaled]),
    missing,
    features: columns.map(({ first }) => first),
    indicators: columns.map(({ column, first, width }) => (column.missing.indicator ? first + width - 1 : -1)),
  };
}

/** Returns the words for a missing value that a number may be: -999. */
function missingNumbers({ missing = [] }: TableEncoding): number[] {
  return missing.filter((word) => String(Number(word)) === word && Number.isFinite(Number(word))).map(Number);
}

function levelChoice(
  { first, width }: PlacedColumn,
  { name, levels, rare, missing }: CategoryColumn,
  encoding: TableEncoding,
  graph: Graph,
): Choice {
  const words = missingWordsIn(encoding, name);
  const isWord = new Set(words);
  const listed = levels.map((level, l) => [level, l] as const).filter(([level]) => !isWord.has(level));
  const absent = missing.indicator ? width - 1 : width;
  const index = graph.node('LabelEncoder', [name], {
    keys_strings: [...listed.map(([level]) => level), ...words],
    values_int64s: [...listed.map(([, l]) => l), ...words.map(() => absent)],
    default_int64: rare ? levels.length : width,
  });
  return { index, features: [...range(first, width), -1] };
}

function intervalChoice(
  { first, width, column }: PlacedColumn,
  { name }: { readonly name: string },
  edges: readonly number[],
  encoding: TableEncoding,
  graph: Graph,
): Choice {
  const passed = graph.node('GreaterOrEqual', [name, graph.doubles(edges, [1, edges.length])]);
  const count = graph.node('ReduceSum', [graph.node('Cast', [passed], { to: types.int64 }), graph.wholes([1], [1])]);
  const words = column.kind === 'number' ? missingNumbers(encoding) : [];
  const missing = words.reduce(
    (sum, word) => graph.node('Or', [sum, graph.node('Equal', [name, graph.doubles([word], [1])])]),
    graph.node('IsNaN', [name]),
  );
  // Behind the intervals is the indicator of a missing value, or no feature.
  const index = graph.node('Where', [missing, graph.wholes([edges.length + 1], [1]), count]);
  return { index, features: [...range(first, width), -1] };
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, j) => first + j);
}

/** Returns the error for a model that ONNX cannot hold. */
export function refused(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected}; got ${got}`);
}
