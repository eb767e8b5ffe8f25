import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { Refusal, retryLater } from './problem.ts';
import { answersJson } from './schemas.ts';

/**
 * Adds `/livez`: the process answers; and `/readyz`: every model that is served takes what it should. Models that were
 * set aside do not keep the others from their clients, so they are only named.
 */
export function addHealth(app: FastifyInstance, { models }: Context): void {
  app.get('/livez', { schema: { response: answersJson(200, 'The service answers.', 'Health') } }, () => ok);
  const readiness = {
    schema: { response: answersJson(200, 'All models are ready.', 'Health') },
    config: { tellsReadiness: true },
  };
  app.get('/readyz', readiness, () => {
    for (const { name, fault } of models.list())
      if (fault !== null)
        throw new Refusal(503, 'model-read-only', `the model "${name}" takes no examples for now`, retryLater);
    const setAside = [...models.setAside.keys()];
    return setAside.length === 0 ? ok : { status: 'degraded', setAside };
  });
}

const ok = { status: 'ok' };
