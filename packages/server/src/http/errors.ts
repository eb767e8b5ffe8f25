import type { FastifyReply, FastifyRequest } from 'fastify';
import { logFault } from './logging.ts';
import { type Problem, problemOf, problemType, refusalOf } from './problem.ts';

/** Answers an error. Faults of the service are logged; refusals are not, because they may quote what was sent. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.code === 'fault') logFault(request, error);
  // The rest of a body that is not wanted is not read.
  if (refusal.status === 413 || refusal.status === 415) reply.header('connection', 'close');
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'x-request-id': request.id })
    .type(problemType)
    .send(JSON.stringify(problemOf(refusal, request.id)));
}

/** Returns the problem of a part of an answer. Faults of the service are logged. */
export function toldProblem(request: FastifyRequest, error: unknown): Problem {
  const problem = problemOf(error);
  // A client that has gone is no fault of the service.
  if (problem.code === 'fault' && !request.raw.destroyed) logFault(request, error);
  return problem;
}
