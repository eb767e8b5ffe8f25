import { groupsOf } from '../../features/cross/pair.ts';
import { missingWordsIn } from '../../features/table-cell.ts';
import type {
  CategoryColumn,
  CrossGroups,
  DateColumn,
  TableColumn,
  TableEncoding,
} from '../../features/table-encoding.ts';
import { cellForm, hasTerms } from '../../features/table-encoding.ts';
import type { PlacedColumn, PlacedCross } from '../columns.ts';
import { type Dialect, number } from './dialect.ts';
import { refused } from './scores.ts';

/** From this number of cases on, weights stand in a list that is joined. */
export const mostCases = 200;

/** The joins that give a row its values; each uses those before it. */
const stages = ['cells', 'places', 'pairs', 'mixed', 'slots'] as const;
type Stage = (typeof stages)[number];

/**
 * The values of a row in SQL: cells of columns, positions of one-hot features, slots of crosses. What is asked for is
 * joined to the table, stage by stage.
 */
export class SqlRow {
  readonly dialect: Dialect;
  readonly encoding: TableEncoding;
  /** Returns a name that no column of the table has. */
  readonly own: (name: string) => string;
  readonly #stages = new Map<Stage, Map<string, string>>(stages.map((stage) => [stage, new Map()]));
  readonly #lists = new Map<string, string>();
  readonly #joins = new Map<Stage, string[]>(stages.map((stage) => [stage, []]));

  constructor(dialect: Dialect, encoding: TableEncoding) {
    this.dialect = dialect;
    this.encoding = encoding;
    this.own = ownNames(encoding);
  }

  /** Common table expressions with the lists. */
  get lists(): readonly string[] {
    return [...this.#lists.values()];
  }

  /** The joins that follow the table in FROM. */
  get joins(): readonly string[] {
    return stages.flatMap((stage) => {
      const expressions = this.#stages.get(stage)!;
      const own = expressions.size === 0 ? [] : [this.dialect.lateral(this.#alias(stage), expressions)];
      return [...own, ...this.#joins.get(stage)!];
    });
  }

  /** Returns the value of a column: NULL if it is missing; a double, or the text of a category. */
  cell({ column, at }: PlacedColumn): string {
    return this.#defined('cells', `x${at + 1}`, () => this.#cell(column));
  }

  /**
   * Returns the position of the one-hot feature of a category or an interval, from 0; NULL if there is none.
   *
   * @param starts of groups: the position is that of the group.
   * @param of the cross with these groups.
   */
  place(placed: PlacedColumn, starts: CrossGroups = null, of = 0): string {
    const { column, at, width } = placed;
    const x = this.cell(placed);
    const group = groupsOf(placed, starts);
    const absent = column.missing.indicator ? String(group[width - 1]) : 'NULL';
    const defined = (present: () => string) =>
      this.#defined('places', starts === null ? `p${at + 1}` : `p${at + 1}_${of + 1}`, () =>
        oneOf(x, absent, present()),
      );
    if (column.kind === 'category') {
      const rest = column.rare ? String(group[column.levels.length]) : 'NULL';
      if (column.levels.length >= mostCases && starts === null) {
        const listed = this.levels(placed as typeof placed & { column: CategoryColumn });
        return defined(() => `COALESCE(${listed('place')}, ${rest})`);
      }
      const cases = column.levels.map((level, l) => `WHEN ${this.dialect.text(level)} THEN ${group[l]}`);
      return defined(() => (cases.length === 0 ? rest : `CASE ${x} ${cases.join(' ')} ELSE ${rest} END`));
    }
    const { edges = [] } = column as { readonly edges?: readonly number[] };
    const cases = edges.flatMap((edge, e) =>
      group[e] === group[e + 1] ? [] : [`WHEN ${x} < ${number(edge)} THEN ${group[e]}`],
    );
    const last = String(group[edges.length]);
    return defined(() => (cases.length === 0 ? last : `CASE ${cases.join(' ')} ELSE ${last} END`));
  }

  /**
   * Joins the list of a category's levels. Returns a function that returns the value of a row's level in a column of
   * the list: `place`, or `w1`, … for the weights; NULL if the level is not listed.
   *
   * @param weightsOf returns the weights of a level; for the first call.
   */
  levels(
    placed: PlacedColumn & { readonly column: CategoryColumn },
    weightsOf: (level: number) => readonly string[] = () => [],
  ): (name: string) => string {
    const { column, at } = placed;
    const rows = column.levels.map((level, l) => [this.dialect.text(level), String(l), ...weightsOf(l)]);
    return this.#joined('cells', `levels_${at + 1}`, ['level', 'place'], rows, this.cell(placed));
  }

  /** Returns the slot of the pair of two one-hot features in a cross, from 0; NULL if one of them is absent. */
  slot({ cross, columns: [a, b], counts }: PlacedCross, at: number): string {
    const { xor, integer } = this.dialect;
    const [one, other] = [this.place(a, cross.groups?.[0], at), this.place(b, cross.groups?.[1], at)];
    const pair = this.#defined(
      'pairs',
      `pair${at + 1}`,
      () => `CAST(${one} AS ${integer}) * ${counts[1]} + CAST(${other} AS ${integer})`,
    );
    const size = 2 ** cross.bits;
    if (counts[0] * counts[1] <= size) return pair;
    // The hash of src/features/cross/pair.ts in whole numbers of 64 bits: a product of 32 bits in two parts.
    const product = (x: string, factor: number) =>
      `((((${x} >> 16) * ${factor} & 65535) * 65536 + (${x} & 65535) * ${factor}) & 4294967295)`;
    const mixed = this.#defined('mixed', `mixed${at + 1}`, () =>
      product(`${xor(`(${pair} & 4294967295)`, `(${pair} >> 32)`)}`, 0x9e3779b1),
    );
    return this.#defined('slots', `slot${at + 1}`, () => {
      const last = product(xor(mixed, `(${mixed} >> 15)`), 0x85ebca6b);
      return `${xor(last, `(${last} >> 13)`)} & ${size - 1}`;
    });
  }

  /** Joins a list of the weights of a cross's slots. Returns the value in a column of it; NULL for other slots. */
  slots(at: number, slot: string, rows: readonly (readonly string[])[]): (name: string) => string {
    return this.#joined('slots', `cross_${at + 1}`, ['slot'], rows, slot);
  }

  /** Returns a part of a date, a whole number from 0; NULL if the date is missing. */
  part(placed: PlacedColumn & { readonly column: DateColumn }, part: 'month' | 'weekday' | 'hour'): string {
    const x = this.cell(placed);
    const { name, integer } = this.dialect;
    const isBigQuery = name === 'bigquery';
    const day = `CAST(FLOOR(${x}) AS ${integer})`;
    const parts = {
      month: isBigQuery
        ? `EXTRACT(MONTH FROM DATE_ADD(DATE '1970-01-01', INTERVAL ${day} DAY)) - 1`
        : `EXTRACT(MONTH FROM DATE '1970-01-01' + CAST(${day} AS INTEGER)) - 1`,
      weekday: `MOD(MOD(${day} + 3, 7) + 7, 7)`,
      hour: `LEAST(23, FLOOR(FLOOR((${x} - FLOOR(${x})) * 86400 + 0.5) / 3600))`,
    };
    return this.#defined('places', `${part}${placed.at + 1}`, () => `CAST(${parts[part]} AS ${integer})`);
  }

  /** Gives an expression a name in a stage. Returns the name. */
  #defined(stage: Stage, as: string, make: () => string): string {
    const name = this.dialect.quote(this.own(as));
    const expressions = this.#stages.get(stage)!;
    if (!expressions.has(name)) expressions.set(name, make());
    return `${this.#alias(stage)}.${name}`;
  }

  #alias(stage: Stage): string {
    return this.dialect.quote(this.own(stage));
  }

  /** Joins a list behind a stage. The first of its columns is the key; all behind `keys` are weights. */
  #joined(
    stage: Stage,
    as: string,
    keys: readonly string[],
    rows: readonly (readonly string[])[],
    key: string,
  ): (name: string) => string {
    const { quote, double } = this.dialect;
    const name = quote(this.own(as));
    if (!this.#lists.has(name)) {
      const names = [...keys, ...rows[0]!.slice(keys.length).map((_, k) => `w${k + 1}`)].map(quote);
      const typed = names.map((each, k) => (k < keys.length ? each : `CAST(${each} AS ${double}) AS ${each}`));
      this.#lists.set(
        name,
        `${name} AS (\n  ${this.dialect.name === 'bigquery' ? union(rows, names) : `SELECT ${typed.join(', ')} FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS l(${names.join(', ')})`}\n)`,
      );
      this.#joins.get(stage)!.push(`LEFT JOIN ${name} ON ${name}.${names[0]} = ${key}`);
    }
    return (column) => `${name}.${quote(column)}`;
  }

  #cell(column: TableColumn): string {
    const { dialect, encoding } = this;
    const raw = `d.${dialect.quote(column.name)}`;
    switch (column.kind) {
      case 'category': {
        const trimmed = dialect.trim(`CAST(${raw} AS ${dialect.string})`);
        const words = missingWordsIn(encoding, column.name).map(dialect.text);
        return `CASE WHEN ${trimmed} NOT IN (${words.join(', ')}) THEN ${trimmed} END`;
      }
      case 'boolean':
        return `CASE ${raw} WHEN TRUE THEN CAST(1 AS ${dialect.double}) WHEN FALSE THEN 0 END`;
      case 'date': {
        // Whole days, then the rest, as the library adds them up.
        const time = dialect.microseconds(raw);
        const days = `FLOOR(${time} / 86400000000.0)`;
        return `(CAST(${days} AS ${dialect.double}) + CAST(${time} - ${days} * 86400000000 AS ${dialect.double}) / 86400000000)`;
      }
      default:
        return `CAST(${raw} AS ${dialect.double})`;
    }
  }
}

function oneOf(x: string, absent: string, present: string): string {
  return `CASE WHEN ${x} IS NULL THEN ${absent} ELSE ${present} END`;
}

function union(rows: readonly (readonly string[])[], names: readonly string[]): string {
  const [first, ...others] = rows;
  const named = first!.map((value, k) => `${value} AS ${names[k]}`).join(', ');
  return [`SELECT ${named}`, ...others.map((row) => `SELECT ${row.join(', ')}`)].join(' UNION ALL ');
}

const convertible = ['dmy', 'mdy', 'ymd', 'named'];

/** @throws HalfspaceError `option-invalid` for a column that SQL cannot read as the library does. */
export function checkColumn(column: TableColumn): void {
  const form = cellForm(column);
  if (hasTerms(column)) throw refused('numbers, dates and categories', `the ${column.kind} ${column.name}`);
  if (column.kind === 'category' && column.others)
    throw refused('categories with listed levels', `hashed ones in ${column.name}`);
  // A table in a database has numbers as numbers and dates as dates, however they were written in a file.
  if (typeof form === 'string' && !convertible.includes(form))
    throw refused(
      'dates of years, months and days',
      `cells of another form in ${column.name}: convert the column and train again`,
    );
}

/** Returns a function that makes names which no column of the table has, in any case of letters. */
function ownNames({ columns, leftOut, label }: TableEncoding): (name: string) => string {
  const names = [label.column, ...[...columns, ...leftOut].map(({ name }) => name)].map((name) => name.toLowerCase());
  let prefix = 'halfspace_';
  while (names.some((name) => name.startsWith(prefix))) prefix = `_${prefix}`;
  return (name) => prefix + name;
}
