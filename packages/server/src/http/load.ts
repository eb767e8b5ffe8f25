import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { RequestLimits } from './limits.ts';
import { Refusal, retrySeconds } from './problem.ts';

/** Bytes of the bodies of requests that wait, from which further requests are refused. */
const fullBytes = 2 ** 28;

/** Gives routes that are added later their own limits. Returns a check, for the end, that all of them are there. */
export function addRouteLimits(app: FastifyInstance, { routes }: RequestLimits): () => void {
  const left = new Set(Object.keys(routes));
  app.addHook('onRoute', (route) => {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    const { body, rate } = routes[path] ?? {};
    left.delete(path);
    if (body !== undefined) route.bodyLimit = body;
    if (rate !== undefined) route.config = { ...route.config, rateLimit: { max: rate || Number.MAX_SAFE_INTEGER } };
  });
  return () => {
    for (const path of left)
      throw new HalfspaceError(
        'option-invalid',
        `expected paths of /openapi.json in limits.routes; got ${quote(path)}`,
      );
  };
}

/**
 * Refuses requests of clients that send too many, and all but probes while too many wait.
 *
 * The measure is the service's own queue: requests that came whole and have no answer yet. A late event loop is none:
 * it may have one client, on a machine that is busy with other things. Requests that are still coming are not counted,
 * so that slow senders keep nobody out; nor are streams, which are read as fast as they are answered.
 */
export async function addLoadLimits(
  app: FastifyInstance,
  { rate, waiting, body: longest, routes }: RequestLimits,
): Promise<void> {
  /** The requests that wait, each with the bytes of its body. */
  const queue = new Map<FastifyRequest, number>();
  let bytes = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.scope !== undefined && (queue.size >= waiting || bytes >= fullBytes))
      throw new Refusal(503, 'busy', `expected up to ${waiting} requests at once; got one more`, {
        'retry-after': String(retrySeconds),
      });
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { scope, staysOpen } = request.routeOptions.config;
    const { body } = request;
    const isStream = staysOpen || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);
    if (scope !== undefined && !isStream) {
      // Of longer ones, which few routes take, one comes at a time.
      const size = body === undefined ? 0 : Math.min(Number(request.headers['content-length'] ?? longest), longest);
      queue.set(request, size);
      bytes += size;
    }
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    bytes -= queue.get(request) ?? 0;
    queue.delete(request);
    done();
  });
  if (rate > 0 || Object.values(routes).some((each) => each.rate !== undefined))
    await app.register(rateLimit, {
      global: rate > 0,
      max: rate,
      timeWindow: 1000,
      cache: 10_000,
      keyGenerator: (request) => request.key?.name ?? request.ip,
      allowList: (request) => request.routeOptions.config.scope === undefined,
      errorResponseBuilder: (_, { max }) =>
        new Refusal(429, 'rate-exceeded', `expected up to ${max} requests a second; got more`),
    });
}
