import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { withRefusals } from './refusals.ts';
import { namedSchemas } from './schemas.ts';

/** Adds `/openapi.json`, made from the schemas of all routes that are added later. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  for (const schema of namedSchemas) app.addSchema(schema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'halfspace',
        description: 'Linear classifiers that predict and learn over HTTP.',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema:
        schema?.hide === true ? schema : withRefusals({ url, method: route.method, schema, config: route.config }),
      url,
    }),
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
