import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../cli/src/options.ts';
import { readConfig } from '../src/serve/config.ts';

const folder = resolve(import.meta.dirname, '../deploy');
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

test.each(['Containerfile', 'halfspace.service'])('%s calls the command with options that it has', (name) => {
  const [, line] = /^(?:CMD|ExecStart=).*halfspace(?:", "| )serve(.*)$/m.exec(text(name)) ?? [];
  const options = Array.from(line!.matchAll(/--([a-z]+)/g), ([, option]) => option!);
  expect(options.length).toBeGreaterThan(1);
  expect(Object.keys(commands.serve.options)).toEqual(expect.arrayContaining(options));
});

test('the example of settings can be read, and answers to the name that compose gives the service', () => {
  const { hosts, keys } = readConfig(join(folder, 'halfspace.example.json'));
  const [, target] = /targets: \["(\w+):/.exec(text('prometheus.yml'))!;
  expect(hosts).toContain(target);
  expect(text('compose.yaml')).toContain(`\n  ${target}:\n`);
  expect(keys!.map(({ name }) => name)).toContain('prometheus');
});
