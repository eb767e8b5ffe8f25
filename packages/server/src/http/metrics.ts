import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServedModel } from '../models/contract.ts';
import type { WatchReport } from '../watch/watcher.ts';
import type { Context } from './context.ts';
import { answers } from './schemas.ts';

/*
 * Metrics for Prometheus, with its conventions of names: base units, `_total` for what only grows, one name for one
 * quantity. Figures of models are read when they are asked for. Labels have a bounded number of values: paths are those
 * of routes, and no label comes from a request. Names of columns and classes come from examples; long ones are
 * shortened.
 *
 * @see https://prometheus.io/docs/practices/naming.
 */

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

/** Adds `/metrics`, and counts the requests of all routes that are added later. */
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
  addModelMetrics(registry, context);
  app.get(
    '/metrics',
    {
      schema: { response: answers(200, 'For Prometheus.', { 'text/plain': { schema: { type: 'string' } } }) },
      config: { scope: 'any' },
    },
    async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  );
}

/** Yields the values of a metric of one model, with labels besides its name. */
type Values = (
  model: ServedModel,
) => Iterable<readonly [labels: Readonly<Record<string, string>>, value: number | null]>;

function addModelMetrics(registry: Registry, { models, teaching }: Context): void {
  const add = (
    kind: 'gauge' | 'counter',
    name: string,
    help: string,
    labelNames: readonly string[],
    values: Values,
  ) => {
    const options = {
      name: `halfspace_model_${name}`,
      help,
      labelNames: ['model', ...labelNames],
      registers: [registry],
    };
    const fill = (set: (labels: Record<string, string>, value: number) => void) => {
      for (const model of models.list())
        for (const [labels, value] of values(model))
          if (value !== null && Number.isFinite(value)) set({ model: model.name, ...shortened(labels) }, value);
    };
    if (kind === 'gauge')
      new Gauge({
        ...options,
        collect() {
          this.reset();
          fill((labels, value) => this.set(labels, value));
        },
      });
    else
      new Counter({
        ...options,
        collect() {
          this.reset();
          fill((labels, value) => this.inc(labels, value));
        },
      });
  };
  const one =
    (value: (model: ServedModel) => number | null): Values =>
    (model) => [[{}, value(model)]];
  const learning = (value: (model: ServedModel) => number | null) =>
    one((model) => (model.kind === 'frozen' ? null : value(model)));
  /** A figure over all examples, and over the latest ones. */
  const figure =
    (name: 'accuracy' | 'logLoss'): Values =>
    ({ metrics }) =>
      metrics === null
        ? []
        : [
            [{ window: 'all' }, metrics[name]],
            [{ window: 'latest' }, metrics.window[name]],
          ];
  const sizes =
    (name: 'bytes' | 'features' | 'classes'): Values =>
    ({ usage }) =>
      (usage?.learners ?? []).map((each) => [{ learner: each.learner }, each[name]] as const);
  const windows = ['window'];
  add(
    'counter',
    'learned_examples_total',
    'Examples in the journal.',
    [],
    learning(({ version }) => version.sequence),
  );
  add('counter', 'refused_examples_total', 'Examples that could not be learned, since the start.', [], (model) =>
    learning(({ name }) => teaching.countsOf(name).refused)(model),
  );
  add('counter', 'duplicate_examples_total', 'Examples that had been learned before, since the start.', [], (model) =>
    learning(({ name }) => teaching.countsOf(name).duplicates)(model),
  );
  add('gauge', 'pending_examples', 'Examples that wait for the disk and the learner.', [], (model) =>
    learning(({ name }) => teaching.countsOf(name).pending)(model),
  );
  add(
    'gauge',
    'read_only',
    '1 if the model takes no examples, because its disk failed.',
    [],
    learning(({ fault }) => (fault === null ? 0 : 1)),
  );
  const learner = ['learner'];
  add('gauge', 'memory_bytes', 'Memory that counts against budget.bytes.', learner, sizes('bytes'));
  add('gauge', 'features', 'Features so far; budget.features bounds them.', learner, sizes('features'));
  add('gauge', 'classes', 'Classes so far; budget.classes bounds them.', learner, sizes('classes'));
  add(
    'gauge',
    'kept_rows_bytes',
    'Rows that wait for their labels; budget.keptBytes bounds them.',
    [],
    one(({ usage }) => usage?.keptBytes ?? null),
  );
  add('gauge', 'accuracy_ratio', 'Share of right answers before learning.', windows, figure('accuracy'));
  add('gauge', 'log_loss_nats', 'Mean of −ln p of the answers before learning.', windows, figure('logLoss'));
  add('counter', 'error_alarms_total', 'Alarms of drift of the errors.', ['detector'], ({ watch }) =>
    Object.entries(watch?.errorAlarms ?? {}).map(([detector, count]) => [{ detector }, count] as const),
  );
  add('counter', 'input_alarms_total', 'Alarms of drift of the mean of a column.', ['column'], ({ watch }) =>
    (watch?.columns ?? []).map(({ name, alarms }) => [{ column: name }, alarms] as const),
  );
  add('gauge', 'missing_ratio', 'Share of the latest examples without a value of a column.', ['column'], ({ watch }) =>
    (watch?.columns ?? []).map(({ name, latest }) => [{ column: name }, latest.missing / latest.examples] as const),
  );
  add('gauge', 'unseen_ratio', 'Share of the latest examples with a level that was new.', ['column'], ({ watch }) =>
    (watch?.columns ?? []).map(({ name, latest }) => [{ column: name }, latest.unseen / latest.examples] as const),
  );
  add('gauge', 'class_share_ratio', 'Share of the latest examples of a class.', ['class'], ({ watch }) =>
    watch === null ? [] : classShares(watch),
  );
  add(
    'gauge',
    'calibration_error_ratio',
    'Expected calibration error of the latest answers.',
    [],
    one(({ watch }) => watch?.calibration?.expectedCalibrationError ?? null),
  );
  add('gauge', 'shadow_accuracy_ratio', 'Share of right answers of the shadow.', windows, ({ shadow }) =>
    shadow === null
      ? []
      : [
          [{ window: 'all' }, shadow.metrics.accuracy],
          [{ window: 'latest' }, shadow.metrics.window.accuracy],
        ],
  );
}

const longestName = 64;

/** Returns labels of at most {@link longestName} characters. Different names stay different. */
function shortened(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([label, name]) => [label, shortName(name)]));
}

function shortName(name: string): string {
  if (name.length <= longestName) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, longestName - 17)}…${digest}`;
}

/** Largest number of classes with a label of their own; the names of columns are bounded by the watcher. */
const mostClasses = 100;

function classShares({ classes, examples, window }: WatchReport): [labels: { class: string }, value: number][] {
  const latest = Math.min(examples, window);
  const named = classes.filter(({ name }) => name !== null).slice(0, mostClasses);
  return named.map((each) => [{ class: each.name! }, each.latest / latest]);
}
