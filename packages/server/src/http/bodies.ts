import type { FastifyInstance, FastifySchema } from 'fastify';
import { parseJson } from './json.ts';
import type { RequestLimits } from './limits.ts';
import { ndjsonType } from './ndjson.ts';
import { Refusal } from './problem.ts';

/** Adds the media types that requests may have, and refuses requests without the body that their route needs. */
export function addBodies(app: FastifyInstance, { depth }: RequestLimits): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer, depth));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(/^application\/(x-ndjson|ndjson|jsonl)\b/, (request, body, done) => {
    if (takesLines(request.routeOptions.schema)) done(null, body);
    else done(new Refusal(415, 'media-type-unknown', 'expected one body in JSON for this path; got lines'));
  });
  // What takes no body, and gets none, needs no media type either.
  app.addHook('onRequest', ({ headers, routeOptions: { schema } }, _reply, done) => {
    const isEmpty = (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined;
    if (isEmpty && schema?.body === undefined) delete headers['content-type'];
    done();
  });
  // Fastify checks no body where none was sent.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined)
      throw new Refusal(400, 'body-malformed', 'expected a body in JSON; got none');
    done();
  });
}

/** Tests if the body of a route may be a stream of lines. */
function takesLines(schema: FastifySchema | undefined): boolean {
  const { content = {} } = (schema?.body ?? {}) as { readonly content?: Readonly<Record<string, unknown>> };
  return ndjsonType in content;
}
