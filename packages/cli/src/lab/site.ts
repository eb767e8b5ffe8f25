import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HalfspaceError } from 'halfspace';
import { reasonOf } from 'halfspace/node';

/** The page as it was built. */
const folder = fileURLToPath(new URL('./lab', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
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

/**
 * Serves the lab on this machine's loopback address, to this machine alone.
 *
 * @param port null: the usual one, or the next that is free.
 * @throws HalfspaceError `option-invalid` for a port that is taken; `unsupported` where the page was not built.
 */
export async function serveLab(
  table: ServedTable | null,
  port: number | null,
): Promise<{ url: string; server: Server }> {
  if (!existsSync(join(folder, 'index.html')))
    throw new HalfspaceError('source-unreadable', 'expected the lab beside the command; got none: run npm run build');
  const server = createServer((request, response) => {
    answer(request, response, table).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `expected to read the data; got ${reasonOf(error)}`);
    });
  });
  const taken = await listen(server, port);
  return { url: `http://127.0.0.1:${taken}/`, server };
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

async function answer(request: IncomingMessage, response: ServerResponse, table: ServedTable | null): Promise<void> {
  const { method, headers, url = '/' } = request;
  // Other sites' pages may know names that lead here; their requests carry those names.
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host !== '127.0.0.1' && host !== 'localhost')
    return refuse(response, 403, 'expected to be asked for by 127.0.0.1');
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'expected GET or HEAD');
  let path: string;
  try {
    path = decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
  } catch {
    return refuse(response, 400, 'expected a path');
  }
  if (table !== null && path === `/data/${table.name}`) {
    response.writeHead(200, { ...headersFor('.csv'), 'cache-control': 'no-store' });
    if (method === 'GET') for await (const piece of table.pieces()) await written(response, piece);
    response.end();
    return;
  }
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  const status =
    file.startsWith(folder + sep) && !path.includes('\0') ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (status?.isFile() !== true) return refuse(response, 404, 'there is nothing here');
  // Files in assets have their content in their names.
  const cache = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
  response.writeHead(200, { ...headersFor(extname(file)), 'content-length': status.size, 'cache-control': cache });
  if (method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

function headersFor(extension: string): Record<string, string> {
  return {
    'content-type': types[extension] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, headersFor('.txt')).end(`${text}\n`);
}

/** At the reader's speed; a reader that went away ends it. */
async function written(response: ServerResponse, piece: Uint8Array): Promise<void> {
  if (response.destroyed) throw new Error('the reader went away');
  if (response.write(piece)) return;
  await new Promise<void>((resolve) => {
    const on = () => {
      response.off('drain', on).off('close', on);
      resolve();
    };
    response.on('drain', on).on('close', on);
  });
}
