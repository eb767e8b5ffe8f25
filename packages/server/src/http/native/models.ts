import type { FastifyInstance } from 'fastify';
import type { ServedModel } from '../../models/contract.ts';
import { addLargeBodies } from '../bodies.ts';
import { type Context, modelOf } from '../context.ts';
import { givenContent } from '../given-content.ts';
import { allows } from '../keys.ts';
import { Refusal } from '../problem.ts';
import {
  answersJson,
  deleteSchema,
  fileSchema,
  modelSchema,
  purgeSchema,
  putSchema,
  restoreSchema,
  snapshotType,
  versionsSchema,
} from '../schemas.ts';
import { entityTag, expectedVersion } from '../versions.ts';

interface Named {
  readonly name: string;
}

/** Largest file of a model in bytes, about that of a text. A state that was given must fit. */
const longestFile = 2 ** 29;

/** Adds the list of models, their descriptions and files, and the calls that create, replace and retire them. */
export function addModels(app: FastifyInstance, { models, limits, snapshots }: Context): void {
  app.get(
    '/v1/models',
    { schema: { response: answersJson(200, 'The models.', 'Models') }, config: { scope: 'predict' } },
    ({ key }) => {
      const shown = models.list().filter(({ name }) => key === null || allows(key, 'predict', name));
      return { models: shown.map(describe) };
    },
  );

  app.get<{ Params: Named }>(
    '/v1/models/:name',
    { schema: modelSchema, config: { scope: 'predict' } },
    (request, reply) => {
      const model = modelOf(models, request.params.name);
      return reply.header('etag', entityTag(model.version)).send(describe(model));
    },
  );

  for (const [part, scope, type] of [
    ['model', 'predict', 'application/json'],
    ['state', 'admin', 'application/json'],
    ['snapshot', 'follow', snapshotType],
  ] as const)
    app.get<{ Params: Named; Querystring: { readonly sequence?: string } }>(
      `/v1/models/:name/${part}`,
      { schema: fileSchema(type), config: { scope } },
      async (request, reply) => {
        const model = modelOf(models, request.params.name);
        const { sequence } = request.query;
        const at = sequence === undefined || part !== 'snapshot' ? undefined : Number(sequence);
        const file = await snapshots.run(model, () => model.file(part, at));
        if (file === null)
          throw new Refusal(409, 'model-frozen', 'expected a model that learns; got a frozen one, which has no state');
        return reply
          .header('etag', entityTag(file.version))
          .type(type)
          .send(Buffer.from(file.bytes.buffer as ArrayBuffer, file.bytes.byteOffset, file.bytes.length));
      },
    );

  app.delete<{ Params: Named }>(
    '/v1/models/:name',
    // `expectedVersion` says more clearly what is wrong.
    { schema: deleteSchema, config: { scope: 'admin' }, validatorCompiler: () => () => true },
    async (request, reply) => {
      const { name } = request.params;
      if (!models.setAside.has(name)) modelOf(models, name);
      const expected = expectedVersion(request.headers);
      if (expected === 'none') throw new Refusal(412, 'version-differs', 'expected no model of this name; got one');
      await models.retire(name, expected === 'any' ? undefined : expected);
      return reply.code(204).send();
    },
  );

  app.get<{ Params: Named }>(
    '/v1/models/:name/versions',
    { schema: versionsSchema, config: { scope: 'admin' } },
    async ({ params: { name } }) => ({ versions: await models.kept(name) }),
  );
  app.post<{ Params: Named & { readonly generation: string } }>(
    '/v1/models/:name/versions/:generation/restore',
    { schema: restoreSchema, config: { scope: 'admin' }, validatorCompiler: () => () => true },
    async ({ params: { name, generation }, headers }, reply) => {
      const expected = expectedVersion(headers);
      if (expected === 'any') modelOf(models, name);
      const model = await models.restore(name, generation, expected === 'any' ? undefined : expected);
      return reply.header('etag', entityTag(model.version)).send(describe(model));
    },
  );
  app.delete<{ Params: Named & { readonly generation: string } }>(
    '/v1/models/:name/versions/:generation',
    { schema: purgeSchema, config: { scope: 'admin' } },
    async ({ params: { name, generation } }, reply) => {
      await models.purge(name, generation);
      return reply.code(204).send();
    },
  );

  // Model files are checked by their bytes, so this route gets the bytes.
  app.register(async (scope) => {
    addLargeBodies(scope, ['application/json', snapshotType], limits.body);
    scope.put<{ Params: Named; Body: Buffer }>(
      '/v1/models/:name',
      {
        schema: putSchema,
        config: { scope: 'admin' },
        bodyLimit: Math.max(limits.body, longestFile),
        validatorCompiler: () => () => true,
      },
      async (request, reply) => {
        const { name } = request.params;
        const isSnapshot = request.headers['content-type'] === snapshotType;
        const expected = expectedVersion(request.headers);
        const content = await givenContent({ name, body: request.body, isSnapshot, depth: limits.depth });
        const before = models.get(name);
        if (expected === 'any' && before === null) modelOf(models, name);
        const model = await models.put(name, content, expected === 'any' ? undefined : expected);
        return reply
          .code(before === null ? 201 : 200)
          .header('etag', entityTag(model.version))
          .send(describe(model));
      },
    );
  });
}

/** Returns plain data about a model. */
function describe(model: ServedModel): object {
  const { name, kind, version, classes, description, fault, metrics } = model;
  return { name, kind, version, ...description, classes, fault: fault?.message ?? null, metrics };
}
