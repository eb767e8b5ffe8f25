import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { RequestLimits } from './limits.ts';
import { Refusal, retrySeconds } from './problem.ts';

/** Refuses requests of clients that send too many, and all but probes while the event loop is late. */
export async function addLoadLimits(app: FastifyInstance, { rate, delay }: RequestLimits): Promise<void> {
  if (delay > 0)
    await app.register(underPressure, {
      maxEventLoopDelay: delay,
      pressureHandler: (request) => {
        if (request.routeOptions.config.scope === undefined) return;
        throw new Refusal(503, 'busy', 'the service is busy: try again later', { 'retry-after': String(retrySeconds) });
      },
    });
  if (rate > 0)
    await app.register(rateLimit, {
      max: rate,
      timeWindow: 1000,
      cache: 10_000,
      keyGenerator: (request) => request.key?.name ?? request.ip,
      allowList: (request) => request.routeOptions.config.scope === undefined,
      errorResponseBuilder: () =>
        new Refusal(429, 'rate-exceeded', `expected up to ${rate} requests a second; got more`),
    });
}
