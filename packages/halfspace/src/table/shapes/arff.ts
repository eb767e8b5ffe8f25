import { HalfspaceError, quote } from '../../errors.ts';
import { csvCell } from '../cells.ts';
import type { DeclaredOptions } from '../table.ts';
import type { Shape, Translate } from './shape.ts';

/*
 * The format of Weka (https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/): attributes with their
 * types, then rows, dense or sparse. In a sparse row an absent number is 0, and an absent nominal value the first one.
 */

const quoted = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"`;
const value = new RegExp(`\\s*(${quoted}|[^,'"]?[^,]*?)\\s*(?:,|$)`, 'y');
const spaced = new RegExp(`\\s*(${quoted}|[^'"\\s]\\S*)(?:\\s+|$)`, 'y');
const indexed = new RegExp(`\\s*(\\d+)\\s+(${quoted}|[^,'"\\s][^,]*?)\\s*(?:,|$)`, 'y');
const attribute = new RegExp(`^\\s*@attribute\\s+(${quoted}|[^\\s{]+)\\s*(.*?)\\s*$`, 'i');
const dataLine = /^[ \t]*@data\b/im;
const commentLine = /^\s*(?:%|$)/;

interface Attribute {
  readonly name: string;
  readonly declared: DeclaredOptions;
  /** The value that a sparse row leaves out. */
  readonly usual: string;
}

/** Tests if the first line that is no comment begins like a declaration; also true if it is not there yet. */
export function beginsLikeArff(text: string): boolean {
  return /^(?:[ \t]*(?:%[^\r\n]*)?[\r\n])*[ \t]*(?:@(?:relation|attribute)\s|(?:%[^\r\n]*|@\w*)$)/i.test(text);
}

/** Returns the shape of ARFF text. */
export function findArff(text: string, whole: boolean, source: string): Shape | 'more' | null {
  const data = dataLine.exec(text);
  // The line may be cut.
  if (data === null || (!whole && !/[\r\n]/.test(text.slice(data.index)))) return whole ? null : 'more';
  const lines = text.slice(0, data.index).split(/\r\n|\n|\r/);
  lines.pop();
  const attributes = lines.flatMap((line, l) =>
    /^\s*@attribute\b/i.test(line) ? [attributeOf(line, { source, line: l + 1 })] : [],
  );
  if (attributes.length === 0)
    throw new HalfspaceError('row-malformed', 'expected lines of @attribute above @data; got none', { source });
  return {
    notes: ['read as ARFF'],
    skipLines: lines.length,
    declared: attributes.map(({ declared }) => declared),
    translator: () => translatorOf(attributes, lines.length),
  };
}

function attributeOf(line: string, where: HalfspaceError['where']): Attribute {
  const [, name, type = ''] = attribute.exec(line) ?? [];
  const refused = (expected: string) =>
    new HalfspaceError('row-malformed', `expected ${expected}; got ${quote(line.trim(), 80)}`, where);
  if (name === undefined) throw refused('a name and a type behind @attribute');
  const typed = (declared: DeclaredOptions, usual = '') => ({ name: plain(name), declared, usual });
  if (type.startsWith('{')) {
    const levels = /\}$/.test(type) ? valuesOf(type.slice(1, -1)) : null;
    if (levels === null) throw refused('values between { and }');
    return typed({ kind: 'category' }, levels[0]);
  }
  if (/^(?:numeric|real|integer)\b/i.test(type)) return typed({ kind: 'number' }, '0');
  if (/^string$/i.test(type)) return typed({ kind: 'text' });
  if (/^date\b/i.test(type)) {
    const format = formatOf(plain(type.slice(4).trim()));
    return typed({ kind: 'date', ...(format === undefined ? {} : { format }) });
  }
  throw refused('numeric, real, integer, string, date or {…} as the type of an attribute');
}

/** Returns the format of dates by a pattern of Java; undefined: ISO 8601, or what the cells show. */
function formatOf(pattern: string): DeclaredOptions['format'] {
  if (/^d{1,2}[-/.]M{1,2}[-/.]y/.test(pattern)) return 'dmy';
  if (/^M{1,2}[-/.]d{1,2}[-/.]y/.test(pattern)) return 'mdy';
  if (/^y+[-/.]?M{1,2}[-/.]?d{1,2}/.test(pattern)) return 'ymd';
  return /^[Hh]{1,2}:mm/.test(pattern) ? 'time' : undefined;
}

function translatorOf(attributes: readonly Attribute[], names: number): Translate {
  let line = 0;
  return (text, fail) => {
    if (line++ < names) return '';
    if (line === names + 1) return attributes.map(({ name }) => csvCell(name)).join(',');
    if (commentLine.test(text)) return '';
    const weight = /,\s*(\{\s*[-+.\deE]+\s*\})\s*$/.exec(text)?.[1];
    if (weight !== undefined)
      throw fail(
        `expected ${attributes.length} values; got the weight ${quote(weight)} behind them: write it as an attribute (weight names it, --weight of the command)`,
      );
    const sparse = /^\s*\{(.*)\}\s*$/.exec(text);
    const values = sparse === null ? denseOf(text, attributes.length) : sparseOf(sparse[1]!, attributes);
    // A line that is no row has one cell, which the reader refuses.
    return values === null ? csvCell(text) : values.map(csvCell).join(',');
  };
}

function denseOf(text: string, width: number): string[] | null {
  const values = valuesOf(text);
  return values?.length === 1 && width > 1 ? matchesOf(spaced, text) : values;
}

function sparseOf(text: string, attributes: readonly Attribute[]): string[] | null {
  const values = attributes.map(({ usual }) => usual);
  const isWhole = everyMatch(indexed, text.trim(), ([, index, each]) => {
    if (Number(index) >= values.length) return false;
    values[Number(index)] = plain(each!);
    return true;
  });
  return isWhole ? values : null;
}

/** Returns the values between commas; null if a quote is not closed. */
function valuesOf(text: string): string[] | null {
  return /['"\\]/.test(text) ? matchesOf(value, `${text},`) : text.split(',').map((each) => each.trim());
}

function matchesOf(pattern: RegExp, text: string): string[] | null {
  const values: string[] = [];
  const isWhole = everyMatch(pattern, text, ([, each]) => values.push(plain(each!)) > 0 && !/^['"]$/.test(each!));
  return isWhole ? values : null;
}

/** Tests if matches of a sticky pattern, all of which the test accepts, are the whole text. */
function everyMatch(pattern: RegExp, text: string, test: (match: RegExpExecArray) => boolean): boolean {
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null || !test(match)) return false;
  }
  return true;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns a value without quotes and escapes. A line end within becomes a blank, because rows are lines. */
function plain(text: string): string {
  const inner = /^(['"]).*\1$/s.test(text) ? text.slice(1, -1) : text;
  return inner.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter).replace(/[\r\n]+/g, ' ');
}
