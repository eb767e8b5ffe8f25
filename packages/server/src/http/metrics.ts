import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Context, modelOf } from './context.ts';
import { knows } from './keys.ts';
import { metricsOf } from './model-metrics.ts';
import { answers } from './schemas.ts';

/*
 * Metrics for Prometheus, with its conventions of names: base units, `_total` for what only grows, one name for one
 * quantity. Labels have a bounded number of values: paths are those of routes, and no label comes from a request.
 *
 * @see https://prometheus.io/docs/practices/naming.
 */

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

/** Adds `/metrics`, also of one model, and counts the requests of all routes that are added later. */
export function addMetrics(app: FastifyInstance, context: Context, version: string): void {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'halfspace_build_info', help: 'Always 1.', labelNames: ['version'], registers })
    .labels(version)
    .set(1);
  new Gauge({
    name: 'halfspace_models_set_aside',
    help: 'Models that are not served, because their files could not be read at the start.',
    registers,
    collect() {
      this.set(context.models.setAside.size);
    },
  });
  const { following } = context;
  if (following !== null)
    new Gauge({
      name: 'halfspace_follower_contact_seconds',
      help: 'Time since the writer sent something.',
      registers,
      collect() {
        if (following.contactSeconds !== null) this.set(following.contactSeconds);
      },
    });
  const durations = new Histogram({
    name: 'halfspace_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labelNames: ['method', 'path', 'status'],
    buckets: seconds,
    registers,
  });
  // Looking up labels takes longer than counting.
  const known = new Map<string, Histogram.Internal<'method' | 'path' | 'status'>>();
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? 'none';
    const name = `${request.method} ${path} ${reply.statusCode}`;
    let duration = known.get(name);
    if (duration === undefined) {
      duration = durations.labels(path === 'none' ? 'any' : request.method, path, String(reply.statusCode));
      known.set(name, duration);
    }
    duration.observe(reply.elapsedTime / 1000);
    done();
  });
  const schema = { response: answers(200, 'For Prometheus.', { 'text/plain': { schema: { type: 'string' } } }) };
  const { models } = context;
  app.get('/metrics', { schema, config: { scope: 'any' } }, async ({ key }, reply) => {
    const shown = models.list().filter(({ name }) => knows(key, name));
    return reply.type(registry.contentType).send((await registry.metrics()) + (await metricsOf(shown, context)));
  });
  app.get<{ Params: { readonly name: string } }>(
    '/v1/models/:name/metrics',
    { schema, config: { scope: 'predict' } },
    async ({ params }, reply) =>
      reply.type(registry.contentType).send(await metricsOf([modelOf(models, params.name)], context)),
  );
}
