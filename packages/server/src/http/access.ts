import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { quote } from 'halfspace/checks';
import type { Scope } from './context.ts';
import { allows, type Key, type Keyring } from './keys.ts';
import { Refusal } from './problem.ts';

/*
 * Who may ask. In this order: the name by which the service was called, the page that calls, the rate, the key, its
 * scope. So attempts with wrong keys count for the rate of their address.
 */

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request carries; null if the service has none, or the route is open. */
    key: Key | null;
  }
}

export interface Access {
  /** Asked for each request, so that keys can change. Null: everybody may do everything. */
  readonly keys: () => Keyring | null;
  /** Names without ports that `Host` may have, against DNS rebinding. Null: any. */
  readonly hosts: readonly string[] | null;
  /** Origins of pages that may ask, besides those of the service. */
  readonly origins: readonly string[];
}

/** Adds the checks to all routes. */
export function addAccess(app: FastifyInstance, access: Access): void {
  app.decorateRequest('key', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { scope } = request.routeOptions.config;
    // Probes call by any name.
    if (!isOpenProbe(request)) checkHost(request.headers.host, access.hosts);
    if (request.headers.origin !== undefined && answersOrigin(request, reply, access.origins)) return;
    checkEncoding(request);
    const keys = access.keys();
    if (scope !== undefined && keys !== null) request.key = keyOf(request, keys);
    done();
  });
  // The limit of rates comes between: it is a hook of routes.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { scope } = request.routeOptions.config;
    if (scope !== undefined && access.keys() !== null) checkKey(request, scope);
    done();
  });
}

function isOpenProbe({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/livez' || url === '/readyz';
}

function checkHost(host: string | undefined, hosts: readonly string[] | null): void {
  if (host === undefined) throw new Refusal(400, 'request-malformed', 'expected the header Host; got none');
  if (hosts?.includes(host.replace(/:\d+$/, '').toLowerCase()) === false)
    throw new Refusal(421, 'host-refused', `expected a host name of this service; got ${quote(host)}`);
}

/** Answers a preflight request, and returns true then. @throws Refusal for a page that may not ask. */
function answersOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  const origin = request.headers.origin!;
  if (!origins.includes(origin)) {
    if (origin === `${request.protocol}://${request.headers.host}`) return false;
    throw new Refusal(403, 'origin-refused', `expected a page of an origin that may ask; got one of ${quote(origin)}`);
  }
  reply.headers({
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-expose-headers': 'etag, retry-after, x-request-id',
  });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id',
      'access-control-max-age': '600',
    })
    .send();
  return true;
}

function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal(415, 'encoding-unknown', `expected a body that is not compressed; got ${quote(encoding)}`);
}

function keyOf({ headers }: FastifyRequest, keys: Keyring): Key | null {
  const [, token] = /^bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? '') ?? [];
  return token === undefined ? null : keys.find(token);
}

function checkKey({ key, params }: FastifyRequest, scope: Scope | 'any'): void {
  if (key === null)
    throw new Refusal(401, 'key-missing', 'expected "Authorization: Bearer" with a key of this service; got none', {
      'www-authenticate': 'Bearer',
    });
  const { name } = params as { name?: string };
  if (scope !== 'any' && !allows(key, scope, name))
    throw new Refusal(
      403,
      'key-refused',
      `expected a key that may ${scope}${name === undefined ? '' : ' with this model'}`,
      {
        'www-authenticate': 'Bearer error="insufficient_scope"',
      },
    );
}
