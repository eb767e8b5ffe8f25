import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { commands } from '../../../cli/src/options.ts';
import { defaultLimits } from '../../src/http/limits.ts';
import { checkModelName } from '../../src/models/model-name.ts';
import { readConfig } from '../../src/serve/config.ts';
import { filesByName, nameOfFile } from '../../src/serve/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'settings.json');
const read = (settings: unknown) => {
  writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return readConfig(path);
};

const key = { name: 'ci', sha256: 'ab'.repeat(32), scopes: ['predict', 'learn'], models: ['m'] };

test('settings are read with their paths from the folder of the file', () => {
  const settings = {
    host: '0.0.0.0',
    port: 443,
    segmentBytes: 2 ** 20,
    keys: [key],
    hosts: ['api.example', '[::1]'],
    origins: ['https://example.org:8443'],
    limits: { rows: 5, rate: 100, headerSeconds: 0.5, routes: { '/metrics': { rate: 2, body: 1024 } } },
    drainSeconds: 5,
    budget: { bytes: 2 ** 20, classes: 10 },
    logLevel: 'warn',
    logRows: true,
  };
  const files = { files: ['a.json'], dir: '/srv/models', tls: { certificate: 'c.pem', key: '../k.pem' } };
  expect(read({ ...settings, ...files })).toEqual({
    ...settings,
    files: [join(folder, 'a.json')],
    dir: '/srv/models',
    tls: { certificate: join(folder, 'c.pem'), key: join(folder, '../k.pem') },
  });
});

test.each<[settings: unknown, message: string]>([
  ['{"keys": secret', 'settings.json: expected settings in JSON; got other text'],
  [[], 'expected the settings as an object; got a list'],
  [{ prot: 1 }, 'got "prot"'],
  [JSON.parse('{"__proto__": 1}'), 'got "__proto__"'],
  [{ port: 65_536 }, 'expected "port" as a whole number in [0, 65535]; got 65536'],
  [{ port: '80' }, 'got "80"'],
  [{ budget: { classes: 1 } }, 'expected "budget.classes" as a whole number in [2, 1000]; got 1'],
  [{ insecure: 1 }, 'expected "insecure" as true or false; got 1'],
  [{ dir: '' }, 'expected "dir" as a text; got ""'],
  [{ keys: [{ ...key, sha256: 'secret' }] }, 'expected "keys[0].sha256" as 64 hexadecimal digits'],
  [{ keys: ['secret'] }, 'expected "keys[0]" as an object; got a text of 6 characters'],
  [{ keys: { name: 'secret' } }, 'expected "keys" as a list; got an object'],
  [{ webhooks: ['https:secret'] }, 'expected "webhooks[0]" as a URL of http or https; got a text of 12 characters'],
  [
    { keys: [{ ...key, scopes: ['root'] }] },
    'expected "keys[0].scopes[0]" as one of predict, learn, follow, admin; got "root"',
  ],
  [{ keys: [{ name: 'ci' }] }, 'expected "keys[0].sha256" as given; got nothing'],
  [{ keys: [{ ...key, token: 'secret' }] }, 'got "token"'],
  [{ keys: [key, key] }, 'expected keys with different names; got "ci" twice'],
  [{ hosts: ['example.org:80'] }, 'expected "hosts[0]" as a name without a port'],
  [{ origins: ['https://example.org/'] }, 'expected "origins[0]" as an origin'],
  [{ limits: { rows: 0 } }, 'expected "limits.rows" as a whole number in [1, 10000000]; got 0'],
  [{ limits: { depth: 1e9 } }, 'expected "limits.depth"'],
  [{ limits: { routes: [] } }, 'expected "limits.routes" as an object; got a list'],
  [{ limits: { routes: { '/a': { rate: -1 } } } }, 'expected "limits.routes./a.rate" as a whole number'],
  [{ tls: { certificate: 'c' } }, 'expected "tls.key" as given; got nothing'],
])('%j are refused', (settings, message) => {
  expect(() => read(settings)).toThrow(message);
  expect(() => read(settings)).not.toThrow('secret');
});

test('docs/service-settings.md has every member, and every limit with its default and its range', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/service-settings.md'), 'utf8');
  /** Returns the cells of a table by the name in its first column. */
  const tableOf = (title: string) => {
    const [, text] = new RegExp(`^\\| ${title} \\|.*\\n\\| ---.*\\n((?:\\|.*\\n)+)`, 'm').exec(page)!;
    return new Map(
      text!
        .trim()
        .split('\n')
        .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/[`|,]/g, '').trim()))
        .map(([name, ...cells]) => [name!, cells]),
    );
  };
  const messageOf = (settings: unknown) => {
    try {
      read(settings);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('expected a refusal');
  };
  const namesIn = (message: string) => /as an object of (.+); got/.exec(message)![1]!.split(', ').sort();
  expect([...tableOf('member').keys()].sort()).toEqual(namesIn(messageOf({ none: 1 })));
  const limits = tableOf('limit');
  expect([...limits.keys()].sort()).toEqual(namesIn(messageOf({ limits: { none: 1 } })));
  limits.delete('routes');
  for (const [name, [, usual, range]] of limits) {
    const [, from, to] = /in \[(.+), (.+)\]; got/.exec(messageOf({ limits: { [name]: -1 } }))!;
    const expected = defaultLimits[name as keyof typeof defaultLimits];
    expect({ name, usual, range }).toEqual({ name, usual: String(expected), range: `${from} to ${to}` });
  }
});

test('a missing file is refused', () => {
  expect(() => readConfig(join(folder, 'none.json'))).toThrow(
    'none.json: expected a file of settings; got no such file',
  );
});

test('a model has the name of its file, in the letters that names may have', () => {
  expect(nameOfFile('models/penguins.model.json')).toBe('penguins');
  expect(nameOfFile('/a/Größe 2.MODEL.JSON')).toBe('gr-e-2');
  expect(nameOfFile('...ok')).toBe('ok');
  forAll(fc.string({ unit: 'binary' }), (path) => {
    try {
      checkModelName(nameOfFile(path));
    } catch (error) {
      expect((error as Error).message).toContain('expected a file whose name has a letter or a digit');
    }
  });
});

test('two files of one name are refused', () => {
  expect([...filesByName(['a/x.json', 'y.model.json'])]).toEqual([
    ['x', 'a/x.json'],
    ['y', 'y.model.json'],
  ]);
  expect(() => filesByName(['a/x.json', 'b/X.model.json'])).toThrow('which both become "x"');
});

describe('deploy', () => {
  const folder = resolve(import.meta.dirname, '../../deploy');
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
});
