import { quote } from 'halfspace/checks';
import type { Version } from '../models/contract.ts';
import { Refusal } from './problem.ts';

/** Returns a version as an entity tag: `"SEQUENCE-DIGEST"`. */
export function entityTag({ sequence, digest }: Version): string {
  return `"${sequence}-${digest}"`;
}

/**
 * Reads the condition of a request that changes a model.
 *
 * @returns the version of `If-Match`; `any` for `If-Match: *`; `none` for `If-None-Match: *`; undefined without either.
 * @throws Refusal for anything else.
 */
export function expectedVersion(headers: {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}): Version | 'any' | 'none' | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && noneMatch !== undefined)
    throw new Refusal(400, 'request-invalid', 'expected If-Match or If-None-Match; got both');
  if (noneMatch !== undefined) {
    if (noneMatch.trim() === '*') return 'none';
    throw refused(noneMatch, 'If-None-Match with "*"');
  }
  if (match === undefined) return undefined;
  if (match.trim() === '*') return 'any';
  const version = versionIn(/^\s*"(.*)"\s*$/.exec(match)?.[1] ?? '');
  if (version === null) throw refused(match, 'If-Match with the ETag of an answer');
  return version;
}

/** Returns the version in a text `SEQUENCE-DIGEST`; null for another text. */
export function versionIn(text: string): Version | null {
  const [, sequence, digest] = /^(\d{1,16})-([0-9a-f]{32})$/.exec(text) ?? [];
  return sequence === undefined ? null : { sequence: Number(sequence), digest: digest! };
}

function refused(got: string, expected: string): Refusal {
  return new Refusal(400, 'request-invalid', `expected ${expected}; got ${quote(got)}`);
}
