import { plainExtended } from '../../features/plain-value.ts';
import { type ListItems, listItems, setText } from '../../features/set/list.ts';

/** Maximum depth of nesting. No table needs more, and recursive parsers would overflow their stack. */
export const deepest = 1000;

/**
 * Value of a member of an object: a scalar as the text of a cell (null for null), a list of scalars, or `nested` for
 * another list.
 */
export type JsonCell = string | null | JsonList | typeof nested;

/** A list of scalars. */
interface JsonList {
  /** JSON of the texts of its items. */
  readonly text: string;
  readonly items: NonNullable<ListItems>;
}

export const nested: unique symbol = Symbol('nested');

/** Reasons why text cannot be read as an object of a table. */
export type JsonFault = 'syntax' | 'other' | 'deep' | { readonly twice: string };

// A member without escapes and control characters, up to its comma or brace; most members are.
const simple =
  /[ \t\r\n]*"([^"\\\p{Cc}]*)"[ \t\r\n]*:[ \t\r\n]*(?:"([^"\\\p{Cc}]*)"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(true|false|null|NaN|-?Infinity))[ \t\r\n]*([,}])/uy;
const space = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity/y;

/**
 * Reads the texts of objects, and reports their members in order; those of an object within are named `a.b`. Keys are
 * exact: they may differ in case only, or be
 * `__proto__`. A number becomes the text that JavaScript gives it, so 1.50 is the category 1.5 as in a plain object;
 * whole numbers that no double holds keep their digits. `NaN` and `Infinity`, which some programs write where JSON has
 * no number, become words.
 */
export class ObjectReader {
  /** By key: number of the last object that has the key. */
  readonly #seen = new Map<string, number>();
  #count = 0;
  #tellShape: TellShape = () => {};

  /**
   * @param tellShape called for each object within the object: the name of its member, and how it is read.
   * @returns the reason why the text is not a valid object; null: it is valid.
   */
  read(text: string, tell: TellMember, tellShape: TellShape): JsonFault | null {
    this.#count++;
    this.#tellShape = tellShape;
    if (this.#seen.size > mostKeys) this.#seen.clear();
    const p = skipSpace(text, 0);
    if (text[p] !== '{') return isTooDeep(text) ? 'deep' : isJson(text) ? 'other' : 'syntax';
    const end = this.#read(text, p + 1, '', 1, tell);
    if (typeof end !== 'number') return end;
    return skipSpace(text, end) === text.length ? null : 'syntax';
  }

  /** Reads the members of an object from p, behind its bracket. @returns the position behind the object. */
  #read(text: string, from: number, prefix: string, depth: number, tell: TellMember): number | JsonFault {
    if (depth > deepest) return 'deep';
    let p = skipSpace(text, from);
    if (text[p] === '}') return p + 1;
    for (;;) {
      simple.lastIndex = p;
      const match = simple.exec(text);
      if (match !== null) {
        const number = match[3];
        const cell = match[2] ?? (number === undefined ? wordOf(match[4]!) : numberText(number));
        const twice = this.#tell(prefix + match[1]!, cell, match[2] !== undefined, tell);
        if (twice !== null) return twice;
        p = simple.lastIndex;
        if (match[5] === '}') return p;
        continue;
      }
      const member = readKey(text, p);
      if (typeof member === 'string') return member;
      const name = prefix + member.key;
      const end = text[member.to] === '{' ? this.#structure(text, member.to, name, depth, tell) : null;
      if (end === null) {
        const value = readValue(text, member.to);
        if (typeof value === 'string') return value;
        const twice = this.#tell(name, value.cell, value.isText, tell);
        if (twice !== null) return twice;
        p = value.to;
      } else if (typeof end === 'number') p = end;
      else return end;
      p = skipSpace(text, p);
      if (text[p] === '}') return p + 1;
      if (text[p] !== ',') return 'syntax';
      p++;
    }
  }

  /** Reads an object within an object: its fields, or the value for which it stands. */
  #structure(text: string, at: number, name: string, depth: number, tell: TellMember): number | JsonFault {
    const value = extendedValue(text, at);
    if (value !== null) {
      this.#tellShape(name, 'extended');
      return this.#tell(name, value.cell, value.isText, tell) ?? value.to;
    }
    const inner = skipSpace(text, at + 1);
    // An object without fields is a missing value.
    if (text[inner] === '}') {
      this.#tellShape(name, 'empty');
      return this.#tell(name, null, false, tell) ?? inner + 1;
    }
    this.#tellShape(name, 'fields');
    return this.#read(text, inner, `${name}.`, depth + 1, tell);
  }

  #tell(name: string, cell: JsonCell, isText: boolean, tell: TellMember): JsonFault | null {
    if (this.#seen.get(name) === this.#count) return { twice: name };
    this.#seen.set(name, this.#count);
    tell(name, cell, isText);
    return null;
  }
}

/** Called for an object within an object, which is read as fields or as a value of MongoDB's extended JSON. */
export type TellShape = (name: string, shape: 'fields' | 'extended' | 'empty') => void;
type TellMember = (name: string, cell: JsonCell, isText: boolean) => void;

/** Maximum number of different keys that are kept from object to object. */
const mostKeys = 100_000;

interface Value {
  readonly cell: JsonCell;
  /** True if the cell is a string of JSON. */
  readonly isText: boolean;
  readonly to: number;
}

/** Reads the key at p, to the beginning of its value. */
function readKey(text: string, from: number): { readonly key: string; readonly to: number } | 'syntax' {
  const at = skipSpace(text, from);
  const end = text[at] === '"' ? stringEnd(text, at) : -1;
  const key = end === -1 ? undefined : parsed(text.slice(at, end));
  const colon = skipSpace(text, end);
  if (typeof key !== 'string' || text[colon] !== ':') return 'syntax';
  return { key, to: skipSpace(text, colon + 1) };
}

/** Reads any value at p but an object. */
function readValue(text: string, p: number): Value | 'syntax' | 'deep' {
  if (text[p] === '"') {
    const to = stringEnd(text, p);
    const word = to === -1 ? undefined : parsed(text.slice(p, to));
    return typeof word === 'string' ? { cell: word, isText: true, to } : 'syntax';
  }
  if (text[p] === '[') {
    const to = valueEnd(text, p);
    if (to === tooDeepEnd) return 'deep';
    const value = to === -1 ? undefined : parsed(withoutNaN(text.slice(p, to)));
    if (value === undefined) return 'syntax';
    const items = listItems(value);
    return { cell: items === null ? nested : { text: setText(value, '')!, items }, isText: false, to };
  }
  scalar.lastIndex = p;
  const [word] = scalar.exec(text) ?? [''];
  if (word === '') return 'syntax';
  return { cell: /[0-9]/.test(word) ? numberText(word) : wordOf(word), isText: false, to: p + word.length };
}

const extended =
  /\{\s*"\$(oid|uuid|symbol|date|numberInt|numberLong|numberDouble|numberDecimal)"\s*:\s*(?:("(?:[^"\\\p{Cc}]|\\.)*")|(-?[0-9]+)|\{\s*"\$numberLong"\s*:\s*"(-?[0-9]+)"\s*\})\s*\}/uy;

/** Reads a value of MongoDB's extended JSON: an object with one member, whose key names its type. */
function extendedValue(text: string, at: number): Value | null {
  extended.lastIndex = at;
  const match = extended.exec(text);
  if (match === null) return null;
  const [, type, quoted, number, long] = match;
  const value = quoted === undefined ? Number(number ?? long) : parsed(quoted);
  const plain = plainExtended({ [`$${type!}`]: value });
  if (plain === undefined) return null;
  const isText = typeof plain === 'string';
  const cell = isText || type === 'date' ? String(plain) : numberText(String(value));
  return { cell: Number.isNaN(plain) ? null : cell, isText, to: extended.lastIndex };
}

function wordOf(literal: string): string | null {
  return literal === 'null' ? null : literal;
}

function numberText(token: string): string {
  if (isOwnText(token)) return token;
  const value = Number(token) + 0;
  if (!Number.isFinite(value)) return token;
  return /^-?[0-9]+$/.test(token) && !Number.isSafeInteger(value) ? token : String(value);
}

/** Tests if JavaScript surely writes the number in the same way. */
function isOwnText(token: string): boolean {
  const { length } = token;
  if (length > 16) return false;
  let hasPoint = false;
  for (let p = 0; p < length; p++) {
    const code = token.charCodeAt(p);
    if (code === 0x65 || code === 0x45) return false;
    if (code === 0x2e) hasPoint = true;
  }
  if (!hasPoint) return length < 16 && token !== '-0';
  // 0.000001 is the smallest that has no exponent.
  return token.charCodeAt(length - 1) !== 0x30 && !/^-?0\.00000/.test(token);
}

export function skipSpace(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/** Returns the position after the closing quote of the string at p; -1: there is none. */
export function stringEnd(text: string, from: number): number {
  for (let p = from + 1; p < text.length; p++) {
    const code = text.charCodeAt(p);
    if (code === 0x5c) p++;
    else if (code === 0x22) return p + 1;
  }
  return -1;
}

const tooDeepEnd = -2;

/**
 * Returns the position after the list or object at p; -1: it has no end; -2: it is nested too deep.
 *
 * @param outside number of levels around it. Default: 1, an object.
 */
export function valueEnd(text: string, from: number, outside = 1): number {
  let depth = outside;
  for (let p = from; p < text.length; p++) {
    const code = text.charCodeAt(p);
    if (code === 0x22) {
      p = stringEnd(text, p) - 1;
      if (p < 0) return -1;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return tooDeepEnd;
    } else if ((code === 0x5d || code === 0x7d) && --depth === outside) return p + 1;
  }
  return -1;
}

/** Tests if a list or an object is nested deeper than {@link deepest}. */
export function isTooDeep(text: string): boolean {
  return valueEnd(text, 0) === tooDeepEnd;
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Returns the value of JSON text; undefined for other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces NaN and infinities, which some programs write where JSON has no number, by null. */
export function withoutNaN(text: string): string {
  return /NaN|Infinity/.test(text)
    ? text.replace(/"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g, (part) => (part[0] === '"' ? part : 'null'))
    : text;
}
