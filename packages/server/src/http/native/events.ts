import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { quote } from 'halfspace/checks';
import type { ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { EventStream } from '../events/event-stream.ts';
import { ModelEvents } from '../events/model-events.ts';
import { Refusal, retrySeconds } from '../problem.ts';
import { eventsSchema } from '../schemas.ts';

/** Adds the stream of a model's alarms and states. */
export function addEvents(app: FastifyInstance, { models, limits, tickMs }: Context): void {
  const all = new Map<ServedModel, ModelEvents>();
  let readers = 0;
  app.addHook('preClose', (done) => {
    for (const events of all.values()) events.close();
    done();
  });

  app.get<{ Params: { readonly name: string }; Headers: { readonly 'last-event-id'?: string } }>(
    '/v1/models/:name/events',
    // HEAD would begin a stream, too.
    {
      schema: eventsSchema,
      exposeHeadRoute: false,
      config: { scope: 'predict', staysOpen: true },
      // `lastEventId` says more clearly what is wrong.
      validatorCompiler: () => () => true,
    },
    (request, reply) => {
      const { name } = request.params;
      const model = modelOf(models, name);
      const last = lastEventId(request.headers['last-event-id']);
      if (readers >= limits.readers)
        throw new Refusal(503, 'busy', `expected at most ${limits.readers} readers of events; got one more`, {
          'retry-after': String(retrySeconds),
        });
      readers++;
      // Those of the request's id and of its origin.
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      reply.hijack();
      let events = all.get(model);
      if (events === undefined) {
        events = new ModelEvents(model, () => models.get(name) === model, tickMs);
        all.set(model, events);
      }
      const own = events;
      const stream: EventStream = new EventStream(reply.raw, headers, () => {
        readers--;
        own.remove(stream);
        if (!own.isEmpty) return;
        own.close();
        all.delete(model);
      });
      own.add(stream, last);
    },
  );
}

/** @throws Refusal for anything else than an id of an event. */
function lastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new Refusal(400, 'request-invalid', `expected Last-Event-ID as an event gave it; got ${quote(header)}`);
}
