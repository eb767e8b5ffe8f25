import { dirname, resolve } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import { readWholeText, wholeKinds } from 'halfspace/node';
import type { FollowOptions } from '../follow/follower.ts';
import type { Key } from '../http/keys.ts';
import type { RequestLimits } from '../http/limits.ts';
import type { SyncPolicy } from '../journal/segment-writer.ts';
import type { ModelBudget } from '../models/contract.ts';
import { leastBudget, mostBudget } from '../models/limits.ts';
import { mostArchived } from '../models/open-models.ts';

/** The settings of a service, as a file of JSON has them. Paths in it are relative to its folder. */
export interface ServiceConfig {
  readonly files?: readonly string[];
  readonly dir?: string;
  /** Bytes of a journal after which a snapshot is taken. */
  readonly segmentBytes?: number;
  /** Number of snapshots before the last one that stay, with the records behind them. */
  readonly archive?: number;
  /** Time at which records are made durable. */
  readonly appendfsync?: SyncPolicy;
  /** True: refuses to start if the files of a model cannot be read. Default: serves the others. */
  readonly strict?: boolean;
  /** Bounds of the memory of each model that learns. */
  readonly budget?: Partial<ModelBudget>;
  /** The service that this one follows; `key` is the path of a file with a key of it. */
  readonly follow?: FollowOptions;
  readonly host?: string;
  readonly port?: number;
  readonly insecure?: boolean;
  readonly keys?: readonly Key[];
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  readonly limits?: Partial<RequestLimits>;
  /** Seconds from a request to stop to the end of service, in which `/readyz` answers 503. */
  readonly drainSeconds?: number;
  /** URLs that every alarm is posted to. */
  readonly webhooks?: readonly string[];
  /** Paths of files in PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Adds what clients send to the log at level `debug`. */
  readonly logRows?: boolean;
}

/** Checks a value, and returns it as the service uses it. @param at the place, such as `keys[0].name`. */
type Check = (value: unknown, at: string) => unknown;

/** @param got printable. */
const refused = (at: string, expected: string, got: string) =>
  new HalfspaceError('option-invalid', `expected ${at === '' ? 'the settings' : `"${at}"`} as ${expected}; got ${got}`);

/** @param show returns the words for a value that is refused. */
const when =
  (holds: (value: unknown) => boolean, expected: string, show: (value: unknown) => string = quote): Check =>
  (value, at) => {
    if (!holds(value)) throw refused(at, expected, show(value));
    return value;
  };
/** Returns the form of a value that may hold a secret in the wrong place: messages come into logs. */
function formOf(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : quote(value);
}
const text = when((value) => typeof value === 'string' && value !== '', 'a text');
const truth = when((value) => typeof value === 'boolean', 'true or false');
const matching = (pattern: RegExp, expected: string) =>
  when((value) => typeof value === 'string' && pattern.test(value), expected);
const number = (least: number, most: number) =>
  when(
    (value) => Number.isFinite(value) && (value as number) >= least && (value as number) <= most,
    `a number in [${least}, ${most}]`,
  );
const whole = (least: number, most: number) =>
  when(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    `a whole number in [${least}, ${most}]`,
  );
const oneOf = (...names: readonly string[]) =>
  when((value) => names.includes(value as string), `one of ${names.join(', ')}`);

function isSha256(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

const list =
  (each: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) throw refused(at, 'a list', formOf(value));
    return value.map((item, i) => each(item, `${at}[${i}]`));
  };

function objectOf(value: unknown, at: string): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused(at, 'an object', formOf(value));
  return value;
}

/** An object with these members and no others. @param required names that may not be absent. */
const object =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, at) => {
    const given = new Map(Object.entries(objectOf(value, at)));
    const placeOf = (name: string) => (at === '' ? name : `${at}.${name}`);
    for (const name of given.keys())
      if (!Object.hasOwn(checks, name))
        throw refused(at, `an object of ${Object.keys(checks).join(', ')}`, quote(name));
    for (const name of required) if (!given.has(name)) throw refused(placeOf(name), 'given', 'nothing');
    return Object.fromEntries([...given].map(([name, item]) => [name, checks[name]!(item, placeOf(name))]));
  };

const key = object(
  {
    name: text,
    sha256: when(isSha256, '64 hexadecimal digits, the SHA-256 of the key', formOf),
    scopes: list(oneOf('predict', 'learn', 'follow', 'admin')),
    models: list(text),
  },
  ['name', 'sha256', 'scopes'],
);

const bytes = whole(1024, 2 ** 30);
const requests = whole(0, 1e9);

/** The largest value of each limit; 0 is allowed where it stands for no limit. */
const limits: Readonly<Record<keyof RequestLimits, Check>> = {
  body: bytes,
  rows: whole(1, 1e7),
  features: whole(1, 2 ** 24),
  depth: whole(4, 1000),
  readers: whole(0, 100_000),
  headerSeconds: number(0.1, 3600),
  requestSeconds: number(0, 86_400),
  idleSeconds: number(0.1, 3600),
  connections: whole(1, 1e6),
  rate: requests,
  waiting: whole(1, 1e6),
  routes: (value, at) =>
    object(
      Object.fromEntries(
        Object.keys(objectOf(value, at)).map((path) => [path, object({ body: bytes, rate: requests })]),
      ),
    )(value, at),
};

const budget = Object.fromEntries(
  Object.entries(leastBudget).map(([name, least]) => [name, whole(least, mostBudget[name as keyof ModelBudget])]),
);

const settings = (path: Check) =>
  object({
    files: list(path),
    dir: path,
    segmentBytes: whole(1024, 2 ** 30),
    archive: whole(0, mostArchived),
    appendfsync: oneOf('always', 'everysec', 'no'),
    strict: truth,
    budget: object(budget),
    follow: object({ url: when(isWebAddress, 'a URL of http or https', formOf), key: path }, ['url']),
    host: text,
    port: whole(0, 65_535),
    insecure: truth,
    keys: list(key),
    hosts: list(matching(/^[^:/\s]+$|^\[[0-9a-f:]+\]$/, 'a name without a port, in small letters')),
    origins: list(matching(/^https?:\/\/[^/\s]+$/, 'an origin, such as https://example.org')),
    limits: object(limits),
    drainSeconds: number(0, 3600),
    webhooks: list(when(isWebAddress, 'a URL of http or https', formOf)),
    tls: object({ certificate: path, key: path }, ['certificate', 'key']),
    logLevel: oneOf('debug', 'info', 'warn', 'error'),
    logRows: truth,
  });

/**
 * Reads the settings of a service.
 *
 * @throws HalfspaceError `source-unreadable`; `option-invalid` for unknown members and values out of range, with the
 *   place.
 */
export function readConfig(path: string): ServiceConfig {
  const content = readWholeText(path, wholeKinds.settings);
  const folder = dirname(path);
  const inFolder: Check = (value, at) => resolve(folder, text(value, at) as string);
  try {
    const config = settings(inFolder)(parse(content), '') as ServiceConfig;
    checkNames(config.keys ?? []);
    return config;
  } catch (error) {
    throw error instanceof HalfspaceError ? error.at({ source: path }) : error;
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // The text may contain secrets.
    throw new HalfspaceError('option-invalid', 'expected settings in JSON; got other text');
  }
}

function checkNames(keys: readonly Key[]): void {
  const names = keys.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new HalfspaceError('option-invalid', `expected keys with different names; got ${quote(twice)} twice`);
}
