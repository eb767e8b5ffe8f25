import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HalfspaceError } from 'halfspace';
import { answerClientError, Connections, serverOptions } from '../http/connection.ts';
import { defaultLimits } from '../http/limits.ts';
import { answerFile } from '../static/answer.ts';
import { type Sources, securityHeaders } from '../static/security-headers.ts';
import { folderFiles, type StaticFile } from '../static/static-file.ts';

/*
 * A server of files for the pages of this machine, such as the lab. It starts in milliseconds: it uses no framework,
 * but the static files, the headers and the limits of the service.
 */

export { folderFiles, type Sources, type StaticFile };

/** Data that who knows their path may read. */
export interface SecretData {
  /** Contains a random token. */
  readonly path: string;
  /** Media type. */
  readonly type: string;
  /** Returns the bytes; called for every reader. */
  readonly pieces: () => AsyncIterable<Uint8Array>;
}

export interface SiteOptions {
  /** Files by their paths; `/` is the page. */
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Sources that the page may use besides those of the page of a service. */
  readonly sources: Sources;
  readonly data: SecretData | null;
  readonly port: number;
  /** Number of ports that are tried after it. */
  readonly furtherPorts: number;
  /** Called with an error that occurred while something was read. The reader does not get its text. */
  readonly onFault: (error: unknown) => void;
  /** The place where the user finds it, for the reader. */
  readonly faultShownBy: string;
}

export interface Site {
  /** With the port. */
  readonly url: string;
  readonly server: Server;
}

/** Time in milliseconds for which a connection may be idle. */
const keepAliveTimeout = 5000;
/** Largest number of connections; a browser opens six. */
const mostConnections = 256;

/**
 * Serves files and data on 127.0.0.1, to requests that name this machine.
 *
 * @throws HalfspaceError `option-invalid` for a port in use.
 */
export async function serveSite(options: SiteOptions): Promise<Site> {
  const headers = securityHeaders(options.sources);
  const server = createServer({ ...serverOptions(defaultLimits), keepAliveTimeout }, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(request, response, options).catch((error: unknown) => {
      if (!(error instanceof ReaderGone)) options.onFault(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `expected to read the data; got an error, which ${options.faultShownBy} shows`);
    });
  });
  server.maxConnections = mostConnections;
  server.on('clientError', answerClientError);
  new Connections(server, { ...defaultLimits, idleSeconds: keepAliveTimeout / 1000 });
  const port = await listen(server, options);
  return { url: `http://127.0.0.1:${port}/`, server };
}

async function listen(server: Server, { port, furtherPorts }: SiteOptions): Promise<number> {
  for (let at = port; ; at++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(at, '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isTaken = code === 'EADDRINUSE' || code === 'EACCES';
      if (!isTaken || at === port + furtherPorts)
        throw new HalfspaceError('option-invalid', `expected a free port; got ${at} (${code}): see --port`);
    }
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, site: SiteOptions): Promise<void> {
  const { method, headers, url = '' } = request;
  // A page of another site can have a name that resolves to this address (DNS rebinding). Its requests carry that name.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? ''))
    return refuse(response, 403, 'expected to be asked for by 127.0.0.1');
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, 405, 'expected GET or HEAD', { allow: 'GET, HEAD' });
  const path = pathOf(url);
  if (path === null) return refuse(response, 400, 'expected a path');
  if (site.data !== null && isSecret(path, site.data.path)) return send(response, method, site.data);
  const file = site.files.get(path);
  if (file === undefined) return refuse(response, 404, 'there is nothing here');
  const { status, headers: own, body } = await answerFile(file, headers);
  response.writeHead(status, body === null ? own : { ...own, 'content-length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
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

/** Compares paths in a time that does not show where the first difference is. */
function isSecret(path: string, secret: string): boolean {
  const [given, wanted] = [Buffer.from(path), Buffer.from(secret)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function send(response: ServerResponse, method: string, { type, pieces }: SecretData): Promise<void> {
  // The header is written with the first bytes, so that data that cannot be opened still give an error status.
  const begin = () =>
    response.headersSent || response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
  if (method === 'GET')
    for await (const piece of pieces()) {
      begin();
      await written(response, piece);
    }
  begin();
  response.end();
}

/** Refuses a request. @param text must not contain details of this machine, because anybody may read it. */
function refuse(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
  response.writeHead(status, { ...plain, ...headers }).end(`${text}\n`);
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
