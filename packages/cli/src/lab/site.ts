import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HalfspaceError } from 'halfspace';

/** The folder of the built page. */
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

/** The content policy: the page may load its own files and connect to nothing else. */
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

/** The table that the page opens. */
export interface ServedTable {
  /** Its file's name, as the page shows it. */
  readonly name: string;
  /** Returns CSV with a header; called for every reader. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

/** Number of ports that are tried after the usual one. */
const tries = 20;
const usualPort = 4280;

/** Number of random bytes in the address of a table: 192 bits cannot be guessed. */
const tokenBytes = 24;

export interface ServedLab {
  /** Address of the page. */
  readonly url: string;
  /** Path of the table relative to the page, with the token; null without a table. */
  readonly dataPath: string | null;
  readonly server: Server;
}

/**
 * Serves the lab on the loopback address of this machine. The page is not secret. The path of the table contains a
 * token, because every user and every program of this machine can reach the address.
 *
 * @param port null for the usual port, or the next free one.
 * @param onFault called with an error that occurred while the table was read. The client does not get its text.
 * @throws HalfspaceError `option-invalid` for a port in use; `source-unreadable` if the page was not built.
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
      else refuse(response, 500, 'expected to read the data; got an error, which the terminal of halfspace lab shows');
    });
  });
  const taken = await listen(server, port);
  const dataPath = table === null ? null : `data/${token}/${encodeURIComponent(table.name)}`;
  return { url: `http://127.0.0.1:${taken}/`, dataPath, server };
}

interface Site {
  /** Files of the page by their paths in URLs. */
  readonly files: ReadonlyMap<string, string>;
  readonly table: ServedTable | null;
  readonly token: string;
}

/** Lists the files of the page, so that the path of a request is never looked up in the file system. */
function filesOfPage(): Map<string, string> {
  const files = new Map<string, string>();
  try {
    for (const path of readdirSync(folder, { recursive: true }) as string[])
      if (statSync(join(folder, path)).isFile()) files.set(`/${path.split(sep).join('/')}`, join(folder, path));
  } catch {
    // Treated as a missing page.
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
        throw new HalfspaceError('option-invalid', `expected a free port; got ${at} (${code}): see --port`);
    }
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { method, headers, url = '' } = request;
  // A page of another site can have a name that resolves to this address (DNS rebinding). Its requests carry that name.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? ''))
    return refuse(response, 403, 'expected to be asked for by 127.0.0.1');
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, 405, 'expected GET or HEAD', { allow: 'GET, HEAD' });
  const path = pathOf(url);
  if (path === null) return refuse(response, 400, 'expected a path');
  const table = tableAt(path, site);
  if (table !== null) {
    // The header is written with the first bytes, so that a table that cannot be opened still gives an error status.
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
  // Names in assets contain a hash of the content.
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

/** Returns the decoded path of a request without its query; null for an invalid path. */
function pathOf(url: string): string | null {
  if (!url.startsWith('/')) return null;
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]!);
  } catch {
    return null;
  }
}

/** Returns the table if the path names it with the right token. */
function tableAt(path: string, { table, token }: Site): ServedTable | null {
  if (table === null) return null;
  const wanted = Buffer.from(`/data/${token}/${table.name}`);
  const given = Buffer.from(path);
  // The time of the comparison does not show where the first difference is.
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

/** Refuses a request. @param text must not contain details of this machine, because anybody may read it. */
function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headersFor('.txt'), 'cache-control': 'no-store', ...headers }).end(`${text}\n`);
}

class ReaderGone extends Error {}

/** Writes at the reader's speed. @throws ReaderGone if the reader has closed the connection. */
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
