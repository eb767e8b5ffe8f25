import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { RequestLimits } from './limits.ts';
import { problemOf, problemType, Refusal } from './problem.ts';

/** Time in milliseconds that a peer has to read why its connection ends. */
const farewellMs = 1000;

const checkMs = ({ headerSeconds }: RequestLimits) => Math.min(5000, Math.max(100, headerSeconds * 250));

/** Returns the options of Node's server that bound what a connection may cost. */
export function serverOptions(limits: RequestLimits): ServerOptions & { readonly handshakeTimeout: number } {
  return {
    headersTimeout: limits.headerSeconds * 1000,
    handshakeTimeout: limits.headerSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    connectionsCheckingInterval: checkMs(limits),
    keepAliveTimeout: limits.idleSeconds * 1000,
    maxHeaderSize: 16_384,
    // Its absence is refused by a problem.
    requireHostHeader: false,
  };
}

/** Answers bytes that are no request, or no whole one, and closes the connection, whatever the peer does. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // After other errors nobody reads: the connection is broken, or its handshake never ended.
  if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(refusalOf(error.code));
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: ${problemType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // A peer that keeps its side open would hold its place among the connections for ever.
  const late = setTimeout(() => socket.destroy(), farewellMs);
  socket.once('close', () => clearTimeout(late));
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'request-late', 'expected a whole request in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(431, 'headers-too-large', 'expected headers of up to 16 KiB; got more');
  return new Refusal(400, 'request-malformed', 'expected a request of HTTP/1.1; got other bytes');
}

/** A connection that speaks HTTP. */
interface Spoken {
  /** Requests that are not answered. */
  running: number;
  /** Time in milliseconds at which the last one was answered, or the connection began. */
  idleSince: number;
}

/**
 * All connections of a server, also those on which nobody speaks. Node's own limits begin with the first byte of a
 * request and end with a whole one. So here a connection ends that has no request for too long, whatever bytes come,
 * and one whose peer stops reading its answer.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  readonly #spoken = new Map<Socket, Spoken>();

  constructor(server: Server, limits: RequestLimits) {
    const idleMs = limits.idleSeconds * 1000;
    const longestIdle = idleMs + limits.headerSeconds * 1000;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.prependListener(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#spoken.set(socket, { running: 0, idleSince: Date.now() });
      socket.once('close', () => this.#spoken.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      const spoken = this.#spoken.get(socket);
      if (spoken === undefined) return;
      spoken.running++;
      response.once('close', () => {
        if (--spoken.running === 0) spoken.idleSince = Date.now();
      });
    });
    server.timeout = idleMs;
    server.on('timeout', (socket: Socket) => {
      const { running } = this.#spoken.get(socket) ?? { running: 0 };
      // A request that still comes, or is worked on, has other limits.
      if (running > 0 && socket.writableLength === 0) socket.setTimeout(idleMs);
      else socket.destroy();
    });
    const check = setInterval(() => {
      const latest = Date.now() - longestIdle;
      for (const [socket, { running, idleSince }] of this.#spoken)
        if (running === 0 && idleSince < latest) socket.destroy();
    }, checkMs(limits));
    check.unref();
    server.once('close', () => clearInterval(check));
  }

  /** Closes connections on which nothing was ever sent. */
  closeSilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
