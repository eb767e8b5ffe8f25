/** The syntax that differs between databases. */
export interface Dialect {
  readonly name: SqlDialect;
  /** Quotes an identifier. */
  readonly quote: (name: string) => string;
  readonly text: (value: string) => string;
  /** Type names. */
  readonly double: string;
  readonly string: string;
  readonly integer: string;
  /** Returns the exclusive or of two whole numbers. */
  readonly xor: (a: string, b: string) => string;
  /**
   * Returns what joins to each row one row of these expressions by name. Other expressions then use the name, which is
   * shorter, and planned and computed once.
   */
  readonly lateral: (alias: string, expressions: ReadonlyMap<string, string>) => string;
  /** Removes tabs, line ends and spaces at both ends. */
  readonly trim: (text: string) => string;
  /** Microseconds since 1970-01-01 UTC, as a whole number, of a date or a time without a zone. */
  readonly microseconds: (value: string) => string;
}

export const sqlDialects = ['duckdb', 'postgresql', 'bigquery'] as const;
export type SqlDialect = (typeof sqlDialects)[number];

const doubled = (mark: string) => (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
const standardText = doubled("'");

/** BigQuery's literals have escapes; other databases take every character but the quote as it is. */
const escaped = (mark: string) => (text: string) =>
  `${mark}${Array.from(text, (letter) => {
    const code = letter.codePointAt(0)!;
    if (letter === '\\' || letter === mark) return `\\${letter}`;
    return code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, '0')}` : letter;
  }).join('')}${mark}`;

// Only BigQuery knows \v.
const blanks = String.raw`' \t\n\x0b\f\r'`;

const named = (expressions: ReadonlyMap<string, string>) =>
  Array.from(expressions, ([name, expression]) => `${expression} AS ${name}`).join(',\n  ');

export const dialects: Readonly<Record<SqlDialect, Dialect>> = {
  duckdb: {
    name: 'duckdb',
    quote: doubled('"'),
    text: standardText,
    double: 'DOUBLE',
    string: 'VARCHAR',
    integer: 'BIGINT',
    xor: (a, b) => `xor(${a}, ${b})`,
    lateral: (alias, expressions) => `CROSS JOIN LATERAL (SELECT\n  ${named(expressions)}) AS ${alias}`,
    trim: (text) => `trim(${text}, E${blanks})`,
    microseconds: (value) => `epoch_us(CAST(${value} AS TIMESTAMP))`,
  },
  postgresql: {
    name: 'postgresql',
    quote: doubled('"'),
    text: standardText,
    double: 'DOUBLE PRECISION',
    string: 'TEXT',
    integer: 'BIGINT',
    xor: (a, b) => `(${a} # ${b})`,
    // OFFSET keeps its planner from writing the expressions out wherever their names are used.
    lateral: (alias, expressions) => `CROSS JOIN LATERAL (SELECT\n  ${named(expressions)}\nOFFSET 0) AS ${alias}`,
    trim: (text) => `btrim(${text}, E${blanks})`,
    microseconds: (value) => `CAST(EXTRACT(EPOCH FROM CAST(${value} AS TIMESTAMP)) * 1000000 AS BIGINT)`,
  },
  bigquery: {
    name: 'bigquery',
    quote: escaped('`'),
    text: escaped("'"),
    double: 'FLOAT64',
    string: 'STRING',
    integer: 'INT64',
    xor: (a, b) => `(${a} ^ ${b})`,
    lateral: (alias, expressions) => `CROSS JOIN UNNEST([STRUCT(\n  ${named(expressions)})]) AS ${alias}`,
    trim: (text) => `TRIM(${text}, ${blanks})`,
    microseconds: (value) => `UNIX_MICROS(TIMESTAMP(${value}))`,
  },
};

/** Returns the literal of a double. With an exponent it is a double everywhere; without, DuckDB makes it a decimal. */
export function number(value: number): string {
  const text = String(value + 0);
  const literal = text.includes('e') ? text : `${text}e0`;
  return value < 0 ? `(${literal})` : literal;
}
