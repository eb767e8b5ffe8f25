import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';
import { pino } from 'pino';
import { type AppOptions, createApp } from '../http/app.ts';
import type { Note } from '../models/settings.ts';
import { isLoopback, listenOn, usualPort } from './address.ts';
import type { ServiceConfig } from './config.ts';
import { openService } from './open.ts';
import { readTls } from './tls.ts';
import { Webhook } from './webhook.ts';

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
  try {
    const hosts = options.hosts ?? (isLocal ? [...loopbackNames, host] : undefined);
    const { origins, logRows } = options;
    const app = await createApp(models, { limits, keys, hosts, origins, tls: certificate, log, logRows, version });
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
        await models.close();
        for (const webhook of webhooks) webhook.close();
        log.info('the service has ended');
      },
    };
  } catch (error) {
    await models.close();
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
