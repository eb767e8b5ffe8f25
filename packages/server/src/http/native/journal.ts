import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { JournalPart } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { ndjsonType } from '../ndjson.ts';
import { journalSchema } from '../schemas.ts';
import { versionIn } from '../versions.ts';

/** Adds the journals of models, for services that follow this one. */
export function addJournal(app: FastifyInstance, { models }: Context): void {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  app.addHook('preClose', (done) => {
    ending.abort();
    done();
  });

  app.get<{ Params: { readonly name: string }; Querystring: { readonly after: string } }>(
    '/v1/models/:name/journal',
    // HEAD would begin a stream, too.
    { schema: journalSchema, exposeHeadRoute: false, config: { scope: 'follow', staysOpen: true } },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      const parts = await model.journal(versionIn(request.query.after)!, ending.signal);
      return reply
        .type(ndjsonType)
        .headers({ 'cache-control': 'no-store', connection: 'close', 'x-accel-buffering': 'no' })
        .send(Readable.from(linesOf(parts), { objectMode: false }));
    },
  );
}

async function* linesOf(parts: AsyncIterable<JournalPart>): AsyncGenerator<string> {
  for await (const part of parts) yield `${JSON.stringify(part)}\n`;
}
