import { createHash } from 'node:crypto';
import { readFile } from 'node:fs';
import { extname } from 'node:path';
import { promisify } from 'node:util';

/** Media types by endings of paths. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.csv': 'text/csv; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Endings of files that are compressed already. */
const compressed: readonly string[] = ['.woff2', '.png'];

/** Tests if files of an ending become smaller by compression. */
function isCompressible(ending: string): boolean {
  return !compressed.includes(ending) && ending in contentTypes;
}

export type Encoding = 'br' | 'gzip' | 'identity';

/** A file that is answered from memory. */
export interface StaticFile {
  readonly type: string;
  /** True if its path has a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  /** Encodings in which it may be answered, the smallest first. */
  readonly encodings: readonly Encoding[];
  /** Returns its bytes in an encoding, with an entity tag of these bytes. @throws what reading a file throws. */
  body(encoding: Encoding): Promise<Body>;
}

export interface Body {
  readonly bytes: Buffer;
  readonly tag: string;
}

const all: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Returns the files of a built page by their paths; `/` is `/index.html`. */
export function packedFiles(files: readonly PackedFile[]): Map<string, StaticFile> {
  return withRoot(
    new Map(
      files.map((file) => [
        file.path,
        staticFile(file.path, all, async (encoding) => {
          if (encoding === 'br') return Buffer.from(file.brotli, 'base64');
          const packed = Buffer.from(file.gzip, 'base64');
          return encoding === 'gzip' ? packed : promisify((await zlib()).gunzip)(packed);
        }),
      ]),
    ),
  );
}

/**
 * Returns files of a folder by their paths in URLs. Each is read when it is first asked for, and then compressed.
 *
 * @param files pairs of the path in URLs and the path of the file.
 */
export function folderFiles(files: Iterable<readonly [path: string, file: string]>): Map<string, StaticFile> {
  const found = new Map<string, StaticFile>();
  for (const [path, file] of files) {
    const encodings = isCompressible(extname(path)) ? all : (['identity'] as const);
    found.set(
      path,
      staticFile(path, encodings, async (encoding) => {
        const bytes = await promisify(readFile)(file);
        if (encoding === 'identity') return bytes;
        const { brotliCompress, constants, gzip } = await zlib();
        if (encoding === 'gzip') return promisify(gzip)(bytes);
        return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quickQuality } });
      }),
    );
  }
  return withRoot(found);
}

/** Of Brotli. Higher qualities take seconds for a large file. */
const quickQuality = 5;

/** Loaded when something is compressed, so that a server starts sooner. */
const zlib = () => import('node:zlib');

function withRoot(files: Map<string, StaticFile>): Map<string, StaticFile> {
  const page = files.get('/index.html');
  return page === undefined ? files : files.set('/', page);
}

/** Makes a file whose bytes are made once for each encoding. */
function staticFile(
  path: string,
  encodings: readonly Encoding[],
  make: (encoding: Encoding) => Promise<Buffer>,
): StaticFile {
  const bodies = new Map<Encoding, Promise<Body>>();
  return {
    type: contentTypes[extname(path)] ?? 'application/octet-stream',
    isImmutable: path.startsWith('/assets/'),
    encodings,
    body(encoding) {
      let body = bodies.get(encoding);
      if (body === undefined) {
        body = make(encoding).then((bytes) => ({ bytes, tag: `"${digest(bytes)}"` }));
        // A file that could not be read may be there later.
        body.catch(() => bodies.delete(encoding));
        bodies.set(encoding, body);
      }
      return body;
    },
  };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/** A file that was compressed when it was built. The texts are base64. */
export interface PackedFile {
  /** Its path in URLs: `/index.html`. */
  readonly path: string;
  readonly gzip: string;
  readonly brotli: string;
}
