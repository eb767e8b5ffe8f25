import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { quote } from 'halfspace/checks';
import { answerError } from './errors.ts';
import { Refusal } from './problem.ts';

/** Answers paths that no route has by 404, and methods that the routes of a path do not have by 405. */
export function addMethods(app: FastifyInstance): void {
  const routes: { readonly path: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+');
    routes.push({ path: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    const refusal =
      allowed.length === 0
        ? new Refusal(404, 'path-unknown', `expected a path of this service (see /openapi.json); got ${quote(path)}`)
        : new Refusal(405, 'method-refused', `expected ${allowed.join(', ')} for this path; got ${request.method}`, {
            allow: allowed.join(', '),
          });
    return answerError(refusal, request, reply);
  };
  // Before the body is read: no media type and no length matter to a path that is none.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply);
    else done();
  });
  app.setNotFoundHandler(answer);
}
