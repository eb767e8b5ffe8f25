import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Models } from '../models/contract.ts';

/*
 * The log of requests. Nothing that a client sent comes into it, unless it was asked for: a path is that of a route, a
 * model one that is there, a key the name that the settings give it.
 */

declare module 'fastify' {
  interface FastifyInstance {
    /** True: the log may have what clients sent. */
    readonly logsRows: boolean;
  }
}

/** Logs each request at level `debug`. @param logsRows adds bodies that are JSON. */
export function addLogging(app: FastifyInstance, models: Models, logsRows: boolean): void {
  app.decorate('logsRows', logsRows);
  if (!isDebugged(app)) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { name = '' } = (request.params ?? {}) as { name?: string };
    const { body } = request;
    request.log.debug(
      {
        method: request.method,
        path: request.routeOptions.url,
        model: models.get(name)?.name,
        key: request.key?.name,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
        body: logsRows && typeof body === 'object' && isPlain(body) ? body : undefined,
      },
      'a request was answered',
    );
    done();
  });
}

function isDebugged({ log }: FastifyInstance): boolean {
  const { isLevelEnabled } = log as { isLevelEnabled?: (level: string) => boolean };
  return isLevelEnabled?.call(log, 'debug') ?? false;
}

/** Tests for parsed JSON: other bodies are streams and bytes. */
function isPlain(body: object | null): boolean {
  return body !== null && (Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype);
}

/**
 * Logs an error that nobody foresaw, by its kind and the places in the code. Its message may quote what a client sent,
 * so it is logged only if rows are.
 */
export function logFault(request: FastifyRequest, error: unknown): void {
  const { name, code, message = '', stack = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const at = stack.slice(stack.indexOf(message) + message.length).split('\n');
  request.log.error(
    {
      error: name ?? typeof error,
      code,
      at: at.map((line) => line.trim()).filter((line) => line.startsWith('at ')),
      message: request.server.logsRows ? message : undefined,
    },
    'a request failed',
  );
}
