import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Models } from '../models/contract.ts';
import type { Context } from './context.ts';
import { answerError } from './errors.ts';
import { addHealth } from './health.ts';
import { addInference } from './inference/routes.ts';
import { parseJson } from './json.ts';
import { defaultLimits, type RequestLimits } from './limits.ts';
import { addMethods } from './methods.ts';
import { addEvents } from './native/events.ts';
import { addLearn } from './native/learn.ts';
import { addModels } from './native/models.ts';
import { addPredict } from './native/predict.ts';
import { addWatch } from './native/watch.ts';
import { addOpenApi } from './openapi.ts';
import { ajvOptions, validationRefusal } from './validation.ts';
import { packageVersion } from './version.ts';

export interface AppOptions {
  /** Bounds of a request. */
  readonly limits?: Partial<RequestLimits> | undefined;
  /** Time in milliseconds from one state in a stream of events to the next. Default 1000. */
  readonly tickMs?: number | undefined;
  /** Default: nothing is logged. */
  readonly log?: FastifyBaseLogger | undefined;
  /** Version of the service, for `/openapi.json` and `/v2`. Default: that of this package. */
  readonly version?: string | undefined;
}

/**
 * Makes the HTTP application of a service. It does not listen, and closing it does not close the models.
 */
export async function createApp(models: Models, options: AppOptions = {}): Promise<FastifyInstance> {
  const limits = { ...defaultLimits, ...options.limits };
  const context: Context = { models, limits, tickMs: options.tickMs ?? 1000 };
  const process = randomBytes(4).toString('hex');
  let requests = 0;
  const app = Fastify({
    ...(options.log === undefined ? {} : { loggerInstance: options.log }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.body,
    forceCloseConnections: 'idle',
    genReqId: () => `${process}-${++requests}`,
    // Answers come from our own code, in the form that the tests check.
    ajv: { customOptions: ajvOptions },
    schemaErrorFormatter: validationRefusal,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }) as unknown as FastifyInstance;
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(answerError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer, limits.depth));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(/^application\/(x-ndjson|ndjson|jsonl)\b/, (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  const version = options.version ?? packageVersion();
  await addOpenApi(app, version);
  addMethods(app);
  addHealth(app, context);
  addModels(app, context);
  addPredict(app, context);
  addLearn(app, context);
  addWatch(app, context);
  addEvents(app, context);
  addInference(app, context, version);
  return app;
}
