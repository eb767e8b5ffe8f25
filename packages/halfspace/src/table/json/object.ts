import { type ListItems, listItems, setText } from '../../features/set/list.ts';

/** Maximum depth of nesting. No table needs more, and recursive parsers would overflow their stack. */
export const deepest = 1000;

/**
 * Value of a member of an object: a scalar as the text of a cell (null for null), a list of scalars, or `nested` for
 * another list or an object.
 */
export type JsonCell = string | null | JsonList | typeof nested;

/** A list of scalars. */
export interface JsonList {
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
 * Reads the texts of objects, and reports their members in order. Keys are exact: they may differ in case only, or be
 * `__proto__`. A number becomes the text that JavaScript gives it, so 1.50 is the category 1.5 as in a plain object;
 * whole numbers that no double holds keep their digits. `NaN` and `Infinity`, which some programs write where JSON has
 * no number, become words.
 */
export class ObjectReader {
  /** By key: number of the last object that has the key. */
  readonly #seen = new Map<string, number>();
  #count = 0;

  /** @returns the reason why the text is not a valid object; null: it is valid. */
  read(text: string, tell: (key: string, cell: JsonCell, isText: boolean) => void): JsonFault | null {
    const object = ++this.#count;
    const seen = this.#seen;
    if (seen.size > mostKeys) seen.clear();
    let p = skipSpace(text, 0);
    if (text[p] !== '{') return isTooDeep(text) ? 'deep' : isJson(text) ? 'other' : 'syntax';
    p = skipSpace(text, p + 1);
    if (text[p] === '}') return skipSpace(text, p + 1) === text.length ? null : 'syntax';
    for (;;) {
      simple.lastIndex = p;
      const match = simple.exec(text);
      let key: string;
      let cell: JsonCell;
      let isText: boolean;
      let ends: boolean;
      if (match !== null) {
        key = match[1]!;
        const number = match[3];
        isText = match[2] !== undefined;
        cell = match[2] ?? (number === undefined ? wordOf(match[4]!) : numberText(number));
        ends = match[5] === '}';
        p = simple.lastIndex;
      } else {
        const member = readMember(text, p);
        if (typeof member === 'string') return member;
        ({ key, cell, isText, ends, to: p } = member);
      }
      if (seen.get(key) === object) return { twice: key };
      seen.set(key, object);
      tell(key, cell, isText);
      if (ends) return skipSpace(text, p) === text.length ? null : 'syntax';
    }
  }
}

/** Maximum number of different keys that are kept from object to object. */
const mostKeys = 100_000;

interface Member {
  readonly key: string;
  readonly cell: JsonCell;
  /** True if the cell is a string of JSON. */
  readonly isText: boolean;
  readonly ends: boolean;
  readonly to: number;
}

/** Reads any member, from p to the end of its comma or brace. */
function readMember(text: string, from: number): Member | 'syntax' | 'deep' {
  let p = skipSpace(text, from);
  const keyEnd = text[p] === '"' ? stringEnd(text, p) : -1;
  const key = keyEnd === -1 ? undefined : parsed(text.slice(p, keyEnd));
  if (typeof key !== 'string') return 'syntax';
  p = skipSpace(text, keyEnd);
  if (text[p] !== ':') return 'syntax';
  p = skipSpace(text, p + 1);
  let cell: JsonCell;
  let to: number;
  const isText = text[p] === '"';
  if (isText) {
    to = stringEnd(text, p);
    const word = to === -1 ? undefined : parsed(text.slice(p, to));
    if (typeof word !== 'string') return 'syntax';
    cell = word;
  } else if (text[p] === '{' || text[p] === '[') {
    to = valueEnd(text, p);
    if (to === -1) return 'syntax';
    if (to === tooDeepEnd) return 'deep';
    const value = parsed(text.slice(p, to));
    if (value === undefined) return 'syntax';
    const items = listItems(value);
    cell = items === null ? nested : { text: setText(value, '')!, items };
  } else {
    scalar.lastIndex = p;
    const [word] = scalar.exec(text) ?? [''];
    if (word === '') return 'syntax';
    to = p + word.length;
    cell = /[0-9]/.test(word) ? numberText(word) : wordOf(word);
  }
  p = skipSpace(text, to);
  if (text[p] !== ',' && text[p] !== '}') return 'syntax';
  return { key, cell, isText, ends: text[p] === '}', to: p + 1 };
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

function skipSpace(text: string, from: number): number {
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/** Returns the position after the closing quote of the string at p; -1: there is none. */
function stringEnd(text: string, from: number): number {
  for (let p = from + 1; p < text.length; p++) {
    const code = text.charCodeAt(p);
    if (code === 0x5c) p++;
    else if (code === 0x22) return p + 1;
  }
  return -1;
}

const tooDeepEnd = -2;

/** Returns the position after the list or object at p; -1: it has no end; -2: it is nested too deep. */
function valueEnd(text: string, from: number): number {
  // The object around it is the first level.
  let depth = 1;
  for (let p = from; p < text.length; p++) {
    const code = text.charCodeAt(p);
    if (code === 0x22) {
      p = stringEnd(text, p) - 1;
      if (p < 0) return -1;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return tooDeepEnd;
    } else if ((code === 0x5d || code === 0x7d) && --depth === 1) return p + 1;
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
