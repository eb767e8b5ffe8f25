import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { type Example, openModels } from '../../src/index.ts';
import { asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/folder.ts';

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
