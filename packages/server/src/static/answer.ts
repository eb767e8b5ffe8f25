import type { Encoding, StaticFile } from './static-file.ts';

/** Headers of a request that decide how a file is answered. */
export interface AskedHeaders {
  readonly 'accept-encoding'?: string | string[] | undefined;
  readonly 'if-none-match'?: string | undefined;
}

export interface StaticAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none follows. */
  readonly body: Buffer | null;
}

/** Returns the answer to a request for a file. @throws what reading a file throws. */
export async function answerFile(file: StaticFile, asked: AskedHeaders): Promise<StaticAnswer> {
  const accepted = String(asked['accept-encoding'] ?? '');
  const encoding = file.encodings.find((each) => accepts(accepted, each)) ?? 'identity';
  const { bytes, tag } = await file.body(encoding);
  const headers = {
    etag: tag,
    'cache-control': file.isImmutable ? 'max-age=31536000, immutable' : 'no-cache',
    ...(file.encodings.length > 1 ? { vary: 'accept-encoding' } : {}),
  };
  if (isKnown(asked['if-none-match'], tag)) return { status: 304, headers, body: null };
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': file.type,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    body: bytes,
  };
}

/** Tests if a header `Accept-Encoding` names an encoding without refusing it (RFC 9110, section 12.5.3). */
function accepts(header: string, encoding: Encoding): boolean {
  if (encoding === 'identity') return true;
  const qualities = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name, quality] = part.split(';').map((each) => each.trim());
        return [name!, Number(/^q=([\d.]+)$/.exec(quality ?? '')?.[1] ?? 1)] as const;
      }),
  );
  return (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0;
}

/** Tests if `If-None-Match` has a tag. */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((each) => ['*', tag].includes(each.trim().replace(/^W\//, '')));
}
