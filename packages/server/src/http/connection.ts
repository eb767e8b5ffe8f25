import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestLimits } from './limits.ts';
import { problemOf, problemType, Refusal } from './problem.ts';

/** Returns the options of Node's server that bound what a connection may cost. */
export function serverOptions(limits: RequestLimits): ServerOptions {
  return {
    headersTimeout: limits.headerSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    connectionsCheckingInterval: Math.min(5000, Math.max(100, limits.headerSeconds * 250)),
    keepAliveTimeout: limits.idleSeconds * 1000,
    maxHeaderSize: 16_384,
    // Its absence is refused by a problem.
    requireHostHeader: false,
  };
}

/** Answers bytes that are no request, or no whole one, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(refusalOf(error.code));
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: ${problemType}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'request-late', 'expected a whole request in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal(431, 'headers-too-large', 'expected headers of up to 16 KiB; got more');
  return new Refusal(400, 'request-malformed', 'expected a request of HTTP/1.1; got other bytes');
}
