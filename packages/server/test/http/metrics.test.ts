import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { createApp } from '../../src/http/app.ts';
import { ErrorCurve } from '../../src/http/events/error-curve.ts';
import { type Example, openModels } from '../../src/index.ts';
import { asking } from '../support/asking.ts';
import { flowerModel, flowers, temporaryFolder, unlabelled } from '../support/examples.ts';
import { naiveModels } from '../support/naive-models.ts';

let file: string;
beforeAll(async () => {
  file = await flowerModel();
});

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Map<string, number>;
}

/** Reads the text format of Prometheus, and refuses what does not follow it. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let help = '';
  let family: Family | undefined;
  let name = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, declared, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      help = rest!;
      continue;
    }
    if (kind === 'TYPE') {
      name = declared!;
      expect(families.has(name)).toBe(false);
      family = { type: rest!, help, samples: new Map() };
      families.set(name, family);
      continue;
    }
    const [, sample, labels = '', value] = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/.exec(line) ?? [];
    expect(sample, line).toMatch(new RegExp(`^${name}(_bucket|_sum|_count)?$`));
    const key = `${sample!.slice(name.length)}${labels}`;
    expect(family!.samples.has(key), line).toBe(false);
    family!.samples.set(key, Number(value!.replace(/^Nan$/, 'NaN').replace('+Inf', 'Infinity')));
  }
  return families;
}

test('figures of requests and models follow the conventions of Prometheus and are those of the models', async () => {
  const models = naiveModels();
  await models.put('f', { kind: 'frozen', file });
  await models.put('m', { kind: 'learning', options: { calibrate: true } });
  const ask = await asking(await createApp(models, { version: '1.2.3' }));
  const scrape = async () => {
    const { text, headers } = await ask({ url: '/metrics' });
    expect(headers['content-type']).toMatch(/^text\/plain; version=/);
    return parse(text);
  };
  const before = await scrape();
  expect(before.get('halfspace_model_accuracy_ratio')!.samples.size).toBe(0);
  const examples = flowers.map((flower, i) => ({ row: unlabelled(flower), label: flower.kind, id: `${i}` }));
  await ask({ method: 'POST', url: '/v1/models/m/learn', body: { examples } });
  await ask({ method: 'POST', url: '/v1/models/m/learn', body: [...examples.slice(0, 2), { row: 1 }] });
  await ask({ method: 'POST', url: '/v1/models/m/learn', body: { row: { size: 'x' }, label: 'lily' } });
  await ask({ url: '/v1/models/secret-name' });
  await ask({ url: '/secret-path?secret=1' });
  models.all.get('m')!.fault = new Error('full');
  const found = await scrape();
  const of = (name: string, labels: string) => found.get(`halfspace_${name}`)!.samples.get(labels);
  const { accuracy, logLoss, window } = models.get('m')!.metrics!;
  expect({
    learned: of('model_learned_examples_total', '{model="m"}'),
    duplicates: of('model_duplicate_examples_total', '{model="m"}'),
    refused: of('model_refused_examples_total', '{model="m",code="number-invalid"}'),
    odd: of('model_refused_examples_total', '{model="m",code="request-invalid"}'),
    pending: of('model_pending_examples', '{model="m"}'),
    readOnly: of('model_read_only', '{model="m"}'),
    accuracy: of('model_accuracy_ratio', '{model="m",window="all"}'),
    latest: of('model_accuracy_ratio', '{model="m",window="latest"}'),
    logLoss: of('model_log_loss_nats', '{model="m",window="all"}'),
    latestLoss: of('model_log_loss_nats', '{model="m",window="latest"}'),
    version: of('build_info', '{version="1.2.3"}'),
    posts: of('http_request_duration_seconds', '_count{method="POST",path="/v1/models/:name/learn",status="200"}'),
    refusals: of('http_request_duration_seconds', '_count{method="POST",path="/v1/models/:name/learn",status="422"}'),
    unknown: of('http_request_duration_seconds', '_count{method="any",path="none",status="404"}'),
  }).toEqual({
    learned: 60,
    duplicates: 2,
    refused: 1,
    odd: 1,
    pending: 0,
    readOnly: 1,
    accuracy,
    latest: window.accuracy,
    logLoss: logLoss ?? undefined,
    latestLoss: window.logLoss ?? undefined,
    version: 1,
    posts: 2,
    refusals: 1,
    unknown: 1,
  });
  for (const [name, { type, help }] of found) {
    expect(help, name).not.toBe('');
    if (!name.startsWith('halfspace_')) continue;
    expect(name).toMatch(/^halfspace_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
  }
  expect(JSON.stringify([...found].map(([, { samples }]) => [...samples.keys()]))).not.toContain('secret');
});

test('figures of any number of models are bounded: those without room are counted, and have their own path', async () => {
  const models = naiveModels();
  for (let k = 0; k < 3000; k++) await models.put(`m${k}`, { kind: 'learning', options: {} });
  const ask = await asking(await createApp(models));
  const { text } = await ask({ url: '/metrics' });
  const shown = new Set(Array.from(text.matchAll(/model="(\w+)"/g), ([, name]) => name!));
  const leftOut = Number(/left_out\{figures="models"\} (\d+)/.exec(text)![1]);
  expect(leftOut).toBeGreaterThan(0);
  expect(shown.size + leftOut).toBe(3000);
  expect(text.split('\n').length).toBeLessThan(11_000);
  const name = models.list().find((each) => !shown.has(each.name))!.name;
  expect((await ask({ url: `/v1/models/${name}/metrics` })).text).toContain(
    `learned_examples_total{model="${name}"} 0`,
  );
});

const dashboard = readFileSync(new URL('../../deploy/grafana/halfspace.json', import.meta.url), 'utf8');

test('figures of watched models are metrics, and the dashboard asks for metrics that there are', async () => {
  const models = await openModels({ dir: temporaryFolder() });
  const model = await models.put('m', { kind: 'learning', options: { calibrate: true } });
  await model.changeShadow({ kind: 'start', options: { rule: 'arow' } });
  await model.learn(
    Array.from({ length: 1500 }, (_, k): Example => {
      const x = ((k * 37) % 101) - 50;
      return { row: { x: k < 900 ? x : x + 500, city: k % 4 === 0 ? null : `c${k % 5}` }, label: x > 10 === k < 900 };
    }),
  );
  const ask = await asking(await createApp(models));
  await ask({ url: '/livez' });
  const { text } = await ask({ url: '/metrics' });
  const figure = (line: string) =>
    Number(
      text
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.split(' ')[1],
    );
  const { columns, errorAlarms, calibration, classes } = model.watch!;
  const [x, city] = columns as [(typeof columns)[0], (typeof columns)[0]];
  expect(x.alarms).toBeGreaterThan(0);
  expect(figure('halfspace_model_input_alarms_total{model="m",column="x"}')).toBe(x.alarms);
  expect(figure('halfspace_model_error_alarms_total{model="m",detector="adwin"}')).toBe(errorAlarms.adwin);
  expect(figure('halfspace_model_missing_ratio{model="m",column="city"}')).toBe(city.latest.missing / 1000);
  expect(figure('halfspace_model_unseen_ratio{model="m",column="city"}')).toBe(0);
  expect(figure('halfspace_model_class_share_ratio{model="m",class="true"}')).toBe(
    classes.find(({ name }) => name === 'true')!.latest / 1000,
  );
  expect(figure('halfspace_model_calibration_error_ratio{model="m"}')).toBe(calibration!.expectedCalibrationError);
  expect(figure('halfspace_model_shadow_accuracy_ratio{model="m",window="all"}')).toBe(model.shadow!.metrics.accuracy);

  const there = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!));
  const asked = new Set(
    Array.from(dashboard.matchAll(/halfspace_\w+/g), ([name]) => name.replace(/_(bucket|count)$/, '')),
  );
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !there.has(name))).toEqual([]);
  await models.close();
});

test('a curve of any length has few points, with the first and the last one, and no large gaps', () => {
  forAll(fc.nat(20_000), fc.integer({ min: 1, max: 1000 }), fc.boolean(), (count, most, again) => {
    const curve = new ErrorCurve();
    if (again) curve.add({ examples: 2 ** 40, error: 1, latestError: 1 });
    let examples = 0;
    for (let k = 0; k <= count; k++) {
      examples += 1 + ((k * k * 7919) % most);
      curve.add({ examples, error: 1 / examples, latestError: k % 2 });
    }
    const { points } = curve;
    const at = points.map((point) => point.examples);
    expect(points.length).toBeLessThanOrEqual(401);
    expect([at[0], at.at(-1)]).toEqual([1, examples]);
    expect(points.every(({ examples, error }) => error === 1 / examples)).toBe(true);
    const gaps = at.slice(1).map((next, k) => next - at[k]!);
    expect(Math.min(1, ...gaps)).toBe(1);
    expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(most + (4 * examples) / 400);
  });
});
