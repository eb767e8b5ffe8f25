import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import { namedSchemas } from './answers.ts';
import { problemType } from './problem.ts';

/*
 * The answers of a route in /openapi.json: those of its schema, and each refusal that the service may give there.
 */

interface Route {
  readonly url: string;
  readonly method: string | readonly string[];
  readonly schema?: FastifySchema | undefined;
  readonly config?: FastifyContextConfig | undefined;
}

type Described = Readonly<Record<string, unknown>> & { readonly headers?: object };

const text = (description: string) => ({ type: 'string', description });

/** Headers of every answer. */
const everywhere = { 'x-request-id': text('Name of the request in the log.') };
const retryAfter = { 'retry-after': text('Seconds after which the request may be tried again.') };
const challenge = { 'www-authenticate': text('Bearer.') };
/** Headers of answers that count against a rate, where the service limits it. */
const rates = {
  'x-ratelimit-limit': text('Requests of a second.'),
  'x-ratelimit-remaining': text('Requests that are left in this second.'),
  'x-ratelimit-reset': text('Seconds until more are allowed.'),
};

type Refusals = Readonly<Record<number, readonly [description: string, headers?: object]>>;

const always: Refusals = {
  400: ['The request is malformed.'],
  403: ['The key, or the page, may not ask this.', challenge],
  408: ['The request did not come in time.'],
  415: ['The body has another media type or encoding.'],
  421: ['The service has other names of hosts.'],
  431: ['The headers are too large.'],
  500: ['The service failed. Its log tells why.'],
};
const withScope: Refusals = {
  401: ['A key is needed.', challenge],
  429: ['The key, or the address, asks too often.', retryAfter],
  503: ['The service is busy, or its disk failed or is full.', retryAfter],
};
const withName: Refusals = {
  404: ['There is no model of this name, or what was asked for is not kept any more.'],
  409: ['The model cannot do that.'],
  414: ['The path is too long.'],
  422: ['The model cannot use the content.'],
};
const withBody: Refusals = { 413: ['The body is too large.'] };
const changing: Refusals = {
  412: ['The model is not the one of the condition.'],
  507: ['The disk is full, or failed: nothing was changed.'],
};

/** Returns the schema of a route with all its answers. */
function withRefusals({ url, method, schema = {}, config = {} }: Route): FastifySchema {
  const isScoped = config.scope !== undefined;
  const conditions = (schema.headers as { properties?: object } | undefined)?.properties ?? {};
  const refusals: Refusals = {
    ...always,
    ...(isScoped ? withScope : {}),
    ...(config.tellsReadiness ? { 503: withScope[503]! } : {}),
    ...(url.includes('/:name') ? withName : {}),
    // Only GET and HEAD leave a body unread.
    ...([method].flat().some((each) => each !== 'GET' && each !== 'HEAD') ? withBody : {}),
    ...('if-match' in conditions ? changing : {}),
  };
  const headers = { ...everywhere, ...(isScoped ? rates : {}) };
  const own = Object.entries((schema.response ?? {}) as Record<string, Described>).map(([status, answer]) => [
    status,
    { ...answer, headers: { ...answer.headers, ...headers } },
  ]);
  const refused = Object.entries(refusals).map(([status, [description, more]]) => [
    status,
    { description, headers: { ...more, ...headers }, content: problem },
  ]);
  return { ...schema, response: { ...Object.fromEntries(refused), ...Object.fromEntries(own) } };
}

const problem = { [problemType]: { schema: { $ref: 'Problem#' } } };

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
