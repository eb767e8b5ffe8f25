import { type ErrorCode, HalfspaceError } from '../errors.ts';
import { sha256 } from '../model/sha256.ts';

/** A kind of file that one step writes and another one reads. */
interface SealedKind {
  /** Value of its first member, `format`. */
  readonly format: string;
  /** Name for messages. */
  readonly what: string;
  /** Code of the errors of its reader. */
  readonly code: ErrorCode;
}

/** A file that was read, and the digest of its members. */
interface Sealed {
  readonly members: unknown;
  readonly digest: string;
}

/**
 * Returns the text of a file: a line of JSON whose first members are its format, its version, and the digest of the
 * text after them. So a file that was damaged, cut or edited is never read as another one.
 */
export function seal({ format }: SealedKind, members: object): string {
  const body = JSON.stringify(members).slice(1);
  return `${headOf(format)}${digestOfText(body)}",${body}\n`;
}

/** Reads the result of {@link seal}. @throws HalfspaceError with the code of the kind. */
export function unseal({ format, what, code }: SealedKind, text: string, source: string): Sealed {
  const head = headOf(format);
  const refused = (got: string) =>
    new HalfspaceError(code, `expected ${what} ("format": "${format}", version 1); got ${got}`, { source });
  if (!text.startsWith(head)) throw refused('another file');
  const [digest, between] = [text.slice(head.length, head.length + 64), text.slice(head.length + 64, head.length + 66)];
  const body = text.slice(head.length + 66).trimEnd();
  if (between !== '",' || digestOfText(body) !== digest)
    throw refused('one that was cut, edited or damaged (its digest does not fit)');
  try {
    return { members: JSON.parse(`{${body}`), digest };
  } catch {
    throw refused('one whose members are no JSON');
  }
}

/** Returns the SHA-256 of a text as 64 hexadecimal digits. */
export function digestOfText(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

function headOf(format: string): string {
  return `{"format":"${format}","version":1,"digest":"`;
}
