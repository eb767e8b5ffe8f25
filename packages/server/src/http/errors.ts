import type { FastifyReply, FastifyRequest } from 'fastify';
import { logFault } from './logging.ts';
import { type Problem, problemOf, problemType, refusalOf } from './problem.ts';

/**
 * Answers an error. Faults of the service are logged; refusals are not, because they may quote what was sent.
 *
 * @param protocol `inference`: JSON with a member `error`, besides those of a problem.
 */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  protocol: 'native' | 'inference' = 'native',
): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal.code === 'fault') logFault(request, error);
  // The rest of a body that is not wanted is not read.
  if (refusal.status === 413 || refusal.status === 415) reply.header('connection', 'close');
  const problem = problemOf(refusal, request.id);
  const isNative = protocol === 'native';
  return reply
    .code(refusal.status)
    .headers({ ...refusal.headers, 'x-request-id': request.id })
    .type(isNative ? problemType : 'application/json')
    .send(JSON.stringify(isNative ? problem : { error: problem.detail, ...problem }));
}

/** Returns the problem of a part of an answer. Faults of the service are logged. */
export function toldProblem(request: FastifyRequest, error: unknown): Problem {
  const problem = problemOf(error);
  // A client that has gone is no fault of the service.
  if (problem.code === 'fault' && !request.raw.destroyed) logFault(request, error);
  return problem;
}
