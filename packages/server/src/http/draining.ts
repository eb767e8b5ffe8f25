import type { FastifyInstance } from 'fastify';
import { Refusal, retrySeconds } from './problem.ts';

/**
 * Refuses new work while the application closes, and says that it is not ready. Connections that were open may still
 * send requests then; those that were being answered end as usual.
 *
 * @returns what lets the application say from now on that it is not ready, while it takes requests: those who send them
 *   need time to notice.
 */
export function addDraining(app: FastifyInstance): () => void {
  let isReady = true;
  let isEnding = false;
  app.addHook('preClose', (done) => {
    isReady = false;
    isEnding = true;
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { scope, tellsReadiness } = request.routeOptions.config;
    if ((isEnding && scope !== undefined) || (!isReady && tellsReadiness))
      throw new Refusal(503, 'service-ending', 'the service ends: try again later', {
        'retry-after': String(retrySeconds),
      });
    done();
  });
  return () => {
    isReady = false;
  };
}
