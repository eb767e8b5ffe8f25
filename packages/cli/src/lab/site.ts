import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HalfspaceError } from 'halfspace';

/** The page as it was built. */
const folder = fileURLToPath(new URL('./lab', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.csv': 'text/csv; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** The page may load what comes with it, and reach nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A table that the page opens. */
export interface ServedTable {
  /** Its file's name, as the page shows it. */
  readonly name: string;
  /** CSV with a header; asked for anew for every reader. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** How many ports after the usual one are tried. */
const tries = 20;
const usualPort = 4280;

/** Bytes of chance in the address of a table: nobody guesses 192 bits. */
const tokenBytes = 24;

export interface ServedLab {
  /** The page. */
  readonly url: string;
  /** The table's path below it, with the token; null without a table. */
  readonly dataPath: string | null;
  readonly server: Server;
}

/**
 * Serves the lab on this machine's loopback address. The page is the same for everybody. The table has a token in its path, because every
 * user and every program of this machine can reach the address.
 *
 * @param port null: the usual one, or the next that is free.
 * @param onFault is called with what went wrong while the table was read; the client learns only that it did.
 * @throws HalfspaceError `option-invalid` for a port that is taken; `source-unreadable` where the page was not built.
 */
export async function serveLab(
  table: ServedTable | null,
  port: number | null,
  onFault: (error: unknown) => void,
): Promise<ServedLab> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const site: Site = { files: filesOfPage(), table, token };
  const server = createServer((request, response) => {
    answer(request, response, site).catch((error: unknown) => {
      if (!(error instanceof ReaderGone)) onFault(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'expected to read the data; that failed: the terminal of halfspace lab says why');
    });
  });
  const taken = await listen(server, port);
  const dataPath = table === null ? null : `data/${token}/${encodeURIComponent(table.name)}`;
  return { url: `http://127.0.0.1:${taken}/`, dataPath, server };
}

interface Site {
  /** Files of the page by their paths in addresses. */
  readonly files: ReadonlyMap<string, string>;
  readonly table: ServedTable | null;
  readonly token: string;
}

/** Lists the files of the page, so that no path of a request is ever looked up in the file system. */
function filesOfPage(): Map<string, string> {
  const files = new Map<string, string>();
  try {
    for (const path of readdirSync(folder, { recursive: true }) as string[])
      if (statSync(join(folder, path)).isFile()) files.set(`/${path.split(sep).join('/')}`, join(folder, path));
  } catch {
    // The same as a page that is not there.
  }
  const page = files.get('/index.html');
  if (page === undefined)
    throw new HalfspaceError('source-unreadable', 'expected the lab beside the command; got none: run npm run build');
  return files.set('/', page);
}

async function listen(server: Server, port: number | null): Promise<number> {
  const first = port ?? usualPort;
  for (let at = first; ; at++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(at, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as { port: number }).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const free = code !== 'EADDRINUSE' && code !== 'EACCES';
      if (free || port !== null || at === first + tries)
        throw new HalfspaceError('option-invalid', `expected a port that is free; ${at} is not (${code}): see --port`);
    }
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { method, headers, url = '' } = request;
  // Pages of other sites may have names that lead here (DNS rebinding); their requests carry those names.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? ''))
    return refuse(response, 403, 'expected to be asked for by 127.0.0.1');
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, 405, 'expected GET or HEAD', { allow: 'GET, HEAD' });
  const path = pathOf(url);
  if (path === null) return refuse(response, 400, 'expected a path');
  const table = tableAt(path, site);
  if (table !== null) {
    // A table that cannot be opened is still an error here, not the beginning of an answer.
    const begin = () => response.headersSent || response.writeHead(200, tableHeaders);
    if (method === 'GET')
      for await (const piece of table.pieces()) {
        begin();
        await written(response, piece);
      }
    begin();
    response.end();
    return;
  }
  const file = site.files.get(path);
  if (file === undefined) return refuse(response, 404, 'there is nothing here');
  // Files in assets have their content in their names.
  const cache = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
  response.writeHead(200, { ...headersFor(extname(file)), 'cache-control': cache });
  if (method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The path of a request without its query, decoded; null for what is no path. */
function pathOf(url: string): string | null {
  if (!url.startsWith('/')) return null;
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]!);
  } catch {
    return null;
  }
}

/** The table where a path names it, with its token. */
function tableAt(path: string, { table, token }: Site): ServedTable | null {
  if (table === null) return null;
  const wanted = Buffer.from(`/data/${token}/${table.name}`);
  const given = Buffer.from(path);
  // Takes the same time wherever the first difference is.
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? table : null;
}

function headersFor(extension: string): Record<string, string> {
  return {
    'content-type': types[extension] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

const tableHeaders = { ...headersFor('.csv'), 'cache-control': 'no-store' };

/** @param text says nothing of this machine: anybody may read it. */
function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headersFor('.txt'), 'cache-control': 'no-store', ...headers }).end(`${text}\n`);
}

class ReaderGone extends Error {}

/** At the reader's speed; a reader that went away ends it. */
async function written(response: ServerResponse, piece: Uint8Array): Promise<void> {
  if (response.destroyed) throw new ReaderGone();
  if (response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const on = () => {
      response.off('drain', on).off('close', on);
      resolve();
    };
    response.on('drain', on).on('close', on);
  });
}
