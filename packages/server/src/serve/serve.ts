import type { FastifyBaseLogger } from 'fastify';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';
import { pino } from 'pino';
import { type AppOptions, createApp } from '../http/app.ts';
import { isLoopback, listenOn, usualPort } from './address.ts';
import { openService } from './open.ts';

export interface ServeOptions extends Omit<AppOptions, 'log'> {
  /** Paths of model files, each served by the name of its file. */
  readonly files?: readonly string[] | undefined;
  /** The folder of models that learn, which is created. Default: none, so nothing learns. */
  readonly dir?: string | undefined;
  /** Default 127.0.0.1: only programs of this machine can ask. */
  readonly host?: string | undefined;
  /** 0: a free one. Default 4310. */
  readonly port?: number | undefined;
  /** True: an address that other machines reach may be served without keys. Default false. */
  readonly insecure?: boolean | undefined;
  /** Default: lines of JSON on standard error. */
  readonly log?: FastifyBaseLogger | undefined;
}

/** A service that listens. */
export interface Service {
  /** With the port. */
  readonly url: string;
  /** Names of the models at the start. */
  readonly names: readonly string[];
  /** Takes no more requests, ends those that run, writes the state of every model, and unlocks the folder. */
  close(): Promise<void>;
}

/** Time in milliseconds that running requests have to end. */
const drainMs = 10_000;

/**
 * Opens models and serves them over HTTP.
 *
 * @throws HalfspaceError `option-invalid` for an address that others reach without keys or `insecure`, and for one that
 *   is taken; as `openModels`; for a file that is no model.
 */
export async function serve(options: ServeOptions): Promise<Service> {
  const { files = [], dir, host = '127.0.0.1', port = usualPort, insecure = false, log = standardLog() } = options;
  if (!isLoopback(host) && !insecure)
    throw new HalfspaceError(
      'option-invalid',
      `expected keys for an address that other machines reach, or --insecure; got ${quote(host)} without`,
    );
  const models = await openService(files, dir ?? null, ({ level, ...note }) => log[level](note, note.message));
  try {
    const app = await createApp(models, { ...options, log });
    const url = await listenOn(app, host, port, false);
    const names = models.list().map(({ name }) => name);
    log.info({ models: names }, 'the models are open');
    return {
      url,
      names,
      close: async () => {
        // A stream may last for ever.
        const late = setTimeout(() => app.server.closeAllConnections(), drainMs);
        await app.close();
        clearTimeout(late);
        await models.close();
        log.info('the service has ended');
      },
    };
  } catch (error) {
    await models.close();
    throw error;
  }
}

function standardLog(): FastifyBaseLogger {
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
}
