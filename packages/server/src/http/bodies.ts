import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { parseJson } from './json.ts';
import type { RequestLimits } from './limits.ts';
import { ndjsonType } from './ndjson.ts';
import { Refusal, retryLater } from './problem.ts';

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

/**
 * Lets the bodies of a scope be long, as bytes. Of those above the usual limit one comes at a time, so that a client
 * cannot fill the memory with many.
 */
export function addLargeBodies(scope: FastifyInstance, types: string[], usual: number): void {
  let isBusy = false;
  for (const type of types) if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
  scope.addContentTypeParser(types, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const limit = request.routeOptions.bodyLimit;
    const tooLong = new Refusal(413, 'body-too-large', `expected a body of at most ${limit} bytes; got a longer one`);
    const { 'content-length': announced } = request.headers;
    if (Number(announced) > limit) throw tooLong;
    const isLarge = announced === undefined || Number(announced) > usual;
    if (isLarge && isBusy)
      throw new Refusal(503, 'busy', `expected one body above ${usual} bytes at once; got another`, retryLater);
    isBusy ||= isLarge;
    try {
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of payload) {
        pieces.push(piece);
        size += piece.length;
        if (size > limit) throw tooLong;
      }
      return Buffer.concat(pieces);
    } finally {
      if (isLarge) isBusy = false;
    }
  });
}
