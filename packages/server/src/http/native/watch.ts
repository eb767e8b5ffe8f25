import type { FastifyInstance } from 'fastify';
import type { OnlineOptions } from 'halfspace';
import { ModelRefusal, type ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { Refusal } from '../problem.ts';
import { answersJson, dropSchema, promoteSchema, shadowSchema, shareSchema } from '../schemas.ts';

interface Named {
  readonly name: string;
}

interface Keyed {
  readonly 'idempotency-key'?: string;
}

/** Adds the figures of a model's stream, and the calls of its shadow. */
export function addWatch(app: FastifyInstance, { models }: Context): void {
  app.get<{ Params: Named }>(
    '/v1/models/:name/watch',
    { schema: { response: answersJson(200, 'The stream of examples so far.', 'Watch') }, config: { scope: 'predict' } },
    (request, reply) => {
      const { version, watch } = modelOf(models, request.params.name);
      if (watch === null)
        throw new Refusal(409, 'model-frozen', 'expected a model that learns; got a frozen one, which watches nothing');
      return reply.send({ version, ...watch });
    },
  );

  app.get<{ Params: Named }>(
    '/v1/models/:name/shadow',
    { schema: { response: answersJson(200, 'The shadow.', 'Shadow') }, config: { scope: 'predict' } },
    (request, reply) => reply.send(shadowOf(modelOf(models, request.params.name))),
  );

  app.post<{ Params: Named; Headers: Keyed; Body: { readonly options: OnlineOptions } }>(
    '/v1/models/:name/shadow',
    { schema: shadowSchema, config: { scope: 'admin' } },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      await model.changeShadow({ kind: 'start', options: request.body.options }, request.headers['idempotency-key']);
      return reply.code(201).send(shadowOf(model));
    },
  );

  app.put<{ Params: Named; Headers: Keyed; Body: { readonly share: number } }>(
    '/v1/models/:name/shadow',
    { schema: shareSchema, config: { scope: 'admin' } },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      await model.changeShadow({ kind: 'share', share: request.body.share }, request.headers['idempotency-key']);
      return reply.send(shadowOf(model));
    },
  );

  app.post<{ Params: Named; Headers: Keyed }>(
    '/v1/models/:name/promote',
    {
      schema: promoteSchema,
      config: { scope: 'admin' },
    },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      await model.changeShadow({ kind: 'promote' }, request.headers['idempotency-key']);
      return reply.send(shadowOf(model));
    },
  );

  app.delete<{ Params: Named; Headers: Keyed }>(
    '/v1/models/:name/shadow',
    { schema: dropSchema, config: { scope: 'admin' } },
    async (request, reply) => {
      await modelOf(models, request.params.name).changeShadow({ kind: 'drop' }, request.headers['idempotency-key']);
      return reply.code(204).send();
    },
  );
}

/** @throws `shadow-missing`. */
function shadowOf({ version, shadow }: ServedModel): object {
  if (shadow === null) throw new ModelRefusal('shadow-missing', 'expected a model with a shadow; got one without');
  return { version, ...shadow };
}
