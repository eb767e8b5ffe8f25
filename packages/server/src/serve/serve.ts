import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:tls';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import { readWholeText, wholeKinds } from 'halfspace/node';
import { pino } from 'pino';
import { checkFollow, Follower } from '../follow/follower.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import type { FollowingModels, Models } from '../models/contract.ts';
import { memoryModels, openFollowing, openModels } from '../models/open-models.ts';
import type { Note } from '../models/settings.ts';
import type { ServiceConfig } from './config.ts';
import { readTls } from './tls.ts';
import { Webhook } from './webhook.ts';

const usualPort = 4310;

/** Tests if only programs of this machine reach an address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Listens, and returns the URL. @throws HalfspaceError `option-invalid` for an address that cannot be used. */
async function listenOn(app: FastifyInstance, host: string, port: number, isTls: boolean): Promise<string> {
  try {
    await app.listen({ host, port, listenTextResolver: (address) => `the service listens at ${address}` });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const hint = code === 'EADDRINUSE' ? ': another program has it; choose another port, or 0 for any free one' : '';
    throw new HalfspaceError(
      'option-invalid',
      `expected a free address; got ${quote(`${host}:${port}`)} (${code})${hint}`,
    );
  }
  const bound = app.server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${isTls ? 'https' : 'http'}://${name}:${bound.port}/`;
}

/** Settings of a service. Members that are undefined have their defaults. */
export type ServeOptions = { readonly [Name in keyof ServiceConfig]?: ServiceConfig[Name] | undefined } & {
  /** Default: lines of JSON on standard error. */
  readonly log?: FastifyBaseLogger | undefined;
  readonly version?: AppOptions['version'];
};

/** A service that listens. */
export interface Service {
  /** With the port. */
  readonly url: string;
  /** Names of the models at the start. */
  readonly names: readonly string[];
  /** Names of the models that were set aside at the start, because their files cannot be read; the log tells why. */
  readonly setAside: readonly string[];
  /**
   * Reads the keys and the files of TLS anew. Running requests end. After an error everything is as before, and the log
   * tells why. Other settings hold until the next start.
   *
   * @param read returns the settings. A service that had keys refuses those without keys.
   */
  reload(read: () => Pick<ServiceConfig, 'keys'>): void;
  /** Takes no more requests, ends those that run, writes the state of every model, and unlocks the folder. */
  close(): Promise<void>;
}

/** Time in milliseconds that running requests have to end. */
const drainMs = 10_000;
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Opens models and serves them over HTTP or HTTPS.
 *
 * @param options by default 127.0.0.1, port 4310, no keys, no TLS, and hosts of this machine only.
 * @throws HalfspaceError `option-invalid` for an address that others reach without keys or `insecure`, and for one that
 *   is taken; as `openModels`; for a file that is no model.
 */
export async function serve(options: ServeOptions): Promise<Service> {
  const {
    files = [],
    dir,
    host = '127.0.0.1',
    port = usualPort,
    keys,
    tls,
    version,
    limits,
    drainSeconds = 0,
  } = options;
  const log = options.log ?? standardLog(options.logLevel ?? 'info');
  const isLocal = isLoopback(host);
  checkAddress(host, isLocal, options);
  if (!isLocal && tls === undefined) log.warn('the service speaks HTTP without TLS: others on the way can read keys');
  const readCertificate = () => {
    if (tls === undefined) return undefined;
    const { warning, ...texts } = readTls(tls);
    if (warning !== null) log.warn(warning);
    return texts;
  };
  const certificate = readCertificate();
  const note = ({ level, ...rest }: Note) => log[level](rest, rest.message);
  const models = await openService(files, dir ?? null, note, options);
  let following: Follower | undefined;
  const closeModels = async () => {
    await following?.close();
    await models.close();
  };
  try {
    if (options.follow?.key !== undefined && options.follow.url.startsWith('http:'))
      log.warn('the writer is asked over HTTP without TLS: others on the way can read the key');
    if (options.follow !== undefined)
      following = new Follower(models as FollowingModels, options.follow, (level, message, model) =>
        log[level](model === null ? {} : { model }, message),
      );
    const hosts = options.hosts ?? (isLocal ? [...loopbackNames, host] : undefined);
    const { origins, logRows } = options;
    const app = await createApp(models, {
      limits,
      keys,
      hosts,
      origins,
      tls: certificate,
      log,
      logRows,
      version,
      following,
    });
    const url = await listenOn(app, host, port, tls !== undefined);
    const names = models.list().map(({ name }) => name);
    log.info({ models: names }, 'the models are open');
    const webhooks = (options.webhooks ?? []).map((each) => new Webhook(each, (message) => log.warn(message)));
    models.onAlarm((model, alarm) => {
      for (const webhook of webhooks) webhook.send(model, alarm);
    });
    return {
      url,
      names,
      setAside: [...models.setAside.keys()],
      reload: (read) => {
        try {
          const { keys: next } = read();
          if (keys !== undefined && next === undefined)
            throw new HalfspaceError('option-invalid', 'expected keys, as at the start; got none');
          const texts = readCertificate();
          if (texts !== undefined)
            (app.server as unknown as Server).setSecureContext({ cert: texts.certificate, key: texts.key });
          app.setKeys(next ?? null);
          log.info({ keys: next?.map(({ name }) => name) ?? [] }, 'the keys were read anew');
        } catch (error) {
          log.error(`the keys stay as they are: ${(error as Error).message}`);
        }
      },
      close: async () => {
        if (drainSeconds > 0) {
          app.drain();
          log.info(`the service is not ready any more, and ends in ${drainSeconds} seconds`);
          await sleep(drainSeconds * 1000);
        }
        // A stream may last for ever, and a peer may never answer.
        const late = setTimeout(() => app.closeConnections(), drainMs);
        await app.close();
        clearTimeout(late);
        await closeModels();
        for (const webhook of webhooks) webhook.close();
        log.info('the service has ended');
      },
    };
  } catch (error) {
    await closeModels();
    throw error;
  }
}

function checkAddress(host: string, isLocal: boolean, { keys, insecure = false }: ServeOptions): void {
  if (isLocal || insecure || (keys !== undefined && keys.length > 0)) return;
  throw new HalfspaceError(
    'option-invalid',
    `expected keys (--config) for an address that other machines reach, or --insecure; got ${quote(host)} without`,
  );
}

function standardLog(level: string): FastifyBaseLogger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return pino(options, pino.destination({ fd: 2, sync: true }));
}

/**
 * Opens the models of a service: those of a folder, if there is one, and model files.
 *
 * @param files paths of model files. In a folder each becomes a model, or replaces the frozen model of its name.
 * @param dir null: nothing is durable, so nothing learns.
 * @throws HalfspaceError `option-invalid` without files and folder, with files and `follow`, and for a file with the
 *   name of a model that learns; `source-unreadable`; as `openModels` and `decodeModel`, with the name of the file.
 */
async function openService(
  files: readonly string[],
  dir: string | null,
  onNote: (note: Note) => void,
  { segmentBytes, strict, budget, follow, archive, appendfsync }: ServeOptions,
): Promise<Models> {
  if (files.length === 0 && dir === null && follow === undefined)
    throw new HalfspaceError('option-invalid', 'expected model files, or --dir for models that learn; got neither');
  if (follow !== undefined && (files.length > 0 || dir === null))
    throw new HalfspaceError(
      'option-invalid',
      `expected a service that follows another one with --dir, and no model files, which come from the writer; got ${dir === null ? 'no folder' : quote(files[0])}`,
    );
  const durable = { onNote, segmentBytes, strict, budget, archive, appendfsync };
  if (follow !== undefined) {
    checkFollow(follow);
    return openFollowing({ dir: dir!, ...durable }, follow.url);
  }
  const texts = new Map<string, string>();
  for (const [name, path] of filesByName(files)) texts.set(name, readWholeText(path, wholeKinds.model));
  if (dir === null) {
    // One by one, so that an error names its file.
    for (const [name, text] of texts) inFile(name, files, () => memoryModels({ [name]: text }));
    return memoryModels(Object.fromEntries(texts));
  }
  const models = await openModels({ dir, ...durable });
  try {
    for (const [name, file] of texts) {
      const before = models.get(name);
      if (before?.kind === 'learning')
        throw new HalfspaceError(
          'option-invalid',
          `expected a file with the name of no model that learns; got ${quote(name)}, which does: rename the file`,
        );
      if (before?.modelFile() !== file) await models.put(name, { kind: 'frozen', file });
    }
  } catch (error) {
    await models.close();
    throw error;
  }
  return models;
}

function inFile(name: string, files: readonly string[], run: () => void): void {
  try {
    run();
  } catch (error) {
    const source = filesByName(files).get(name);
    throw error instanceof HalfspaceError && source !== undefined ? error.at({ source }) : error;
  }
}

/** Returns the name that a model file gets: `Penguins 2.model.json` → `penguins-2`. @throws HalfspaceError. */
export function nameOfFile(path: string): string {
  const name = basename(path)
    .replace(/(\.model)?\.json$/i, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64);
  if (name === '')
    throw new HalfspaceError(
      'option-invalid',
      `expected a file whose name has a letter or a digit; got ${quote(path)}`,
    );
  return name;
}

/** Returns paths of model files by name. @throws HalfspaceError for two files of one name. */
export function filesByName(paths: readonly string[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of paths) {
    const name = nameOfFile(path);
    const other = files.get(name);
    if (other !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        `expected files with different names; got ${quote(other)} and ${quote(path)}, which both become ${quote(name)}`,
      );
    files.set(name, path);
  }
  return files;
}
