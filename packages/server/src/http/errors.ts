import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOf, problemType, refusalOf } from './problem.ts';

/** Answers an error. Faults of the service are logged; refusals are not, because they may quote what was sent. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.code === 'fault') request.log.error({ err: error, request: request.id }, 'a request failed');
  // The rest of a body that is not wanted is not read.
  if (refusal.status === 413 || refusal.status === 415) reply.header('connection', 'close');
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'x-request-id': request.id })
    .type(problemType)
    .send(JSON.stringify(problemOf(refusal, request.id)));
}
