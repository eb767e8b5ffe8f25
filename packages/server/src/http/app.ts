import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { quote } from 'halfspace/checks';
import type { Following, Models } from '../models/contract.ts';
import { addAccess } from './access.ts';
import { addBodies } from './bodies.ts';
import { answerClientError, Connections, serverOptions } from './connection.ts';
import type { Context } from './context.ts';
import { addDraining } from './draining.ts';
import { answerError } from './errors.ts';
import { type Key, Keyring } from './keys.ts';
import { defaultLimits, type RequestLimits } from './limits.ts';
import { addLoadLimits, addRouteLimits } from './load.ts';
import { addLogging } from './logging.ts';
import { addMetrics } from './metrics.ts';
import { addCurve } from './native/curve.ts';
import { addEvents } from './native/events.ts';
import { addInspect } from './native/inspect.ts';
import { addJournal } from './native/journal.ts';
import { addLearn } from './native/learn.ts';
import { addModels } from './native/models.ts';
import { addPredict } from './native/predict.ts';
import { addWatch } from './native/watch.ts';
import { addOpenApi } from './openapi.ts';
import { addPage } from './page.ts';
import { Refusal, retryLater } from './problem.ts';
import { answersJson } from './schemas.ts';
import { SnapshotTurns } from './snapshots.ts';
import { Teaching } from './teaching.ts';
import { ajvOptions, validationRefusal } from './validation.ts';

export interface AppOptions {
  readonly limits?: Partial<RequestLimits> | undefined;
  /** Time in milliseconds from one state in a stream of events to the next. Default 1000. */
  readonly tickMs?: number | undefined;
  /** Keys, one of which each request must carry; {@link App.setKeys} changes them. Default: everybody may ask. */
  readonly keys?: readonly Key[] | undefined;
  /** Names without ports that the header `Host` may have. Default: any. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins, such as `https://example.org`, of pages that may ask. Default: only pages of the service itself. */
  readonly origins?: readonly string[] | undefined;
  /** Texts in PEM for HTTPS. Default: HTTP. */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  /** Of models that follow those of another service. Default: they follow none. */
  readonly following?: Following | undefined;
  /** Default: nothing is logged. */
  readonly log?: FastifyBaseLogger | undefined;
  /** Adds bodies of requests in JSON to the log, at level `debug`, and the messages of faults. Default false. */
  readonly logRows?: boolean | undefined;
  /** Version of the service, for `/openapi.json`. Default: that of this package. */
  readonly version?: string | undefined;
}

/** The HTTP application of a service. */
export type App = FastifyInstance & {
  /** Replaces all keys; null: everybody may ask. Running requests end. */
  setKeys(keys: readonly Key[] | null): void;
  /** Lets `/readyz` answer 503 from now on, while requests are served as before. */
  drain(): void;
  /** Closes all connections, also those on which no request runs. */
  closeConnections(): void;
};

/**
 * Makes the HTTP application of a service. It does not listen, and closing it does not close the models.
 *
 * @returns an application of Fastify, of HTTP or HTTPS.
 */
export async function createApp(models: Models, options: AppOptions = {}): Promise<App> {
  const limits = { ...defaultLimits, ...options.limits };
  const { tickMs = 1000, following = null } = options;
  const teaching = new Teaching();
  const context: Context = { models, following, limits, teaching, snapshots: new SnapshotTurns(), tickMs };
  const process = randomBytes(4).toString('hex');
  let requests = 0;
  const { tls, hosts = null, origins = [] } = options;
  let keyring = options.keys === undefined ? null : new Keyring(options.keys);
  const server = serverOptions(limits);
  const app = Fastify({
    ...(tls === undefined ? { http: server } : { https: { ...server, cert: tls.certificate, key: tls.key } }),
    keepAliveTimeout: limits.idleSeconds * 1000,
    requestTimeout: limits.requestSeconds * 1000,
    clientErrorHandler: answerClientError,
    ...(options.log === undefined ? {} : { loggerInstance: options.log }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    bodyLimit: limits.body,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: () => `${process}-${++requests}`,
    // Answers come from our own code, in the form that the tests check.
    ajv: { customOptions: ajvOptions },
    schemaErrorFormatter: validationRefusal,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  } as FastifyHttpOptions<Server>) as unknown as FastifyInstance;
  app.server.maxConnections = limits.connections;
  // Node would answer other expectations than 100-continue by itself, without a problem.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const connections = new Connections(app.server, limits);
  app.addHook('preClose', (done) => {
    connections.closeSilent();
    done();
  });
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(answerError);
  addBodies(app, limits);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  addLogging(app, models, options.logRows ?? false);
  const drain = addDraining(app);
  addAccess(app, { keys: () => keyring, hosts, origins });
  const checkRoutes = addRouteLimits(app, limits);
  await addLoadLimits(app, limits);
  const version = options.version ?? packageVersion();
  await addOpenApi(app, version);
  addMethods(app);
  addMetrics(app, context, version);
  addHealth(app, context);
  addModels(app, context);
  addPredict(app, context);
  addLearn(app, context);
  addInspect(app, context);
  addCurve(app, context);
  addWatch(app, context);
  addEvents(app, context);
  addJournal(app, context);
  addPage(app);
  await app.after();
  checkRoutes();
  return Object.assign(app, {
    setKeys: (keys: readonly Key[] | null) => {
      keyring = keys === null ? null : new Keyring(keys);
    },
    drain,
    closeConnections: () => connections.closeAll(),
  });
}

/**
 * Adds `/livez`: the process answers; and `/readyz`: every model that is served takes what it should. Models that were
 * set aside do not keep the others from their clients, so they are only named.
 */
function addHealth(app: FastifyInstance, { models, following }: Context): void {
  app.get('/livez', { schema: { response: answersJson(200, 'The service answers.', 'Health') } }, () => ok);
  const readiness = {
    schema: { response: answersJson(200, 'All models are ready.', 'Health') },
    config: { tellsReadiness: true },
  };
  app.get('/readyz', readiness, () => {
    for (const { name, fault } of models.list())
      if (fault !== null)
        throw new Refusal(503, 'model-read-only', `the model "${name}" takes no examples for now`, retryLater);
    if (
      following !== null &&
      (following.missing > 0 || (following.contactSeconds === null && models.list().length === 0))
    )
      throw new Refusal(503, 'follower-behind', 'expected all models of the writer; some are not here yet', retryLater);
    const setAside = [...models.setAside.keys()];
    return {
      ...(setAside.length === 0 ? ok : { status: 'degraded', setAside }),
      ...(following === null ? {} : { following: lagOf(models, following) }),
    };
  });
}

const ok = { status: 'ok' };

function lagOf(models: Models, following: Following): object {
  const behind = models.list().map(({ name }) => following.behind(name) ?? 0);
  return {
    behindRecords: behind.reduce((most, each) => Math.max(most, each), 0),
    contactSeconds: following.contactSeconds,
  };
}

/** Answers paths that no route has by 404, and methods that the routes of a path do not have by 405. */
function addMethods(app: FastifyInstance): void {
  const routes: { readonly path: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[^/]+/g, '[^/]+');
    routes.push({ path: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = routes.filter((route) => route.path.test(path)).flatMap(({ methods }) => methods);
    const refusal =
      allowed.length === 0
        ? new Refusal(404, 'path-unknown', `expected a path of this service (see /openapi.json); got ${quote(path)}`)
        : new Refusal(405, 'method-refused', `expected ${allowed.join(', ')} for this path; got ${request.method}`, {
            allow: allowed.join(', '),
          });
    return answerError(refusal, request, reply);
  };
  // Before the body is read: no media type and no length matter to a path that is none.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply);
    else done();
  });
  app.setNotFoundHandler(answer);
}

/** Returns the version of this package, which is that of the library and the command. */
function packageVersion(): string {
  const path = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
