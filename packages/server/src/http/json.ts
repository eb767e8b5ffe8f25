import { isUtf8 } from 'node:buffer';
import { HalfspaceError } from 'halfspace';
import { Refusal } from './problem.ts';

/*
 * Reads JSON that anybody may have sent. `JSON.parse` itself needs no stack for depth and makes `__proto__` an ordinary
 * member, but code behind it may recurse or assign; so both are refused here.
 */

/**
 * Parses a JSON text.
 *
 * @param depth the largest depth.
 * @throws Refusal for bytes that are not UTF-8, for what is no JSON, for JSON that is too deep, and for a member named
 *   `__proto__`.
 */
export function parseJson(bytes: Buffer, depth: number): unknown {
  if (!isUtf8(bytes)) throw malformed('expected JSON in UTF-8; got bytes that are not UTF-8');
  checkDepth(bytes, depth);
  return parseText(bytes.toString());
}

function parseText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text === '') throw malformed('expected JSON; got an empty body');
    // The error of the library escapes control characters of the message.
    throw malformed(new HalfspaceError('row-malformed', `expected JSON; got: ${(error as Error).message}`).message);
  }
  // The letters may be escaped.
  if (text.includes('__proto__') || text.includes('\\u')) checkNames(value);
  return value;
}

const [quotation, backslash, open, close] = [0x22, 0x5c, 0x5b, 0x5d];
/** The bit in which `{` differs from `[`, and `}` from `]`. */
const brace = 0x20;

/** Refuses JSON with more open brackets at once than `most`. */
function checkDepth(bytes: Buffer, most: number): void {
  if (bytes.length <= most) return;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === quotation) i = endOfString(bytes, i);
    else if ((byte & ~brace) === open) {
      if (++depth > most) throw malformed(`expected JSON of depth ${most} or less; got a greater depth`);
    } else if ((byte & ~brace) === close) depth--;
  }
}

/** Returns the position of the quotation mark that ends the string that begins at `i`; the length without one. */
function endOfString(bytes: Buffer, i: number): number {
  for (let j = i + 1; j < bytes.length; j++) {
    const byte = bytes[j]!;
    if (byte === quotation) return j;
    if (byte === backslash) j++;
  }
  return bytes.length;
}

function checkNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) throw malformed('expected other names of members; got "__proto__"');
  for (const member of Object.values(value)) checkNames(member);
}

function malformed(message: string): Refusal {
  return new Refusal(400, 'body-malformed', message);
}
