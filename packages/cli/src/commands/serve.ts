import { readFileSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';

/** Runs `halfspace serve`: answers over HTTP until it is interrupted, and then writes every state. */
export async function serveModels(models: readonly string[], given: CommandOptions<'serve'>): Promise<void> {
  const { config: path, ...flags } = await claimFiles('serve', { models }, given);
  refuseFolders(models);
  const { readConfig, serve } = await import('halfspace-server');
  const interrupted = firstInterruption();
  // A hangup without a listener would end the process, also while it opens large models.
  let isDue = false;
  let reload = () => {
    isDue = true;
  };
  process.on('SIGHUP', () => reload());
  const config = path === undefined ? {} : readConfig(path);
  const {
    dir = config.dir,
    host = config.host,
    port = config.port,
    insecure = config.insecure,
    strict = config.strict,
  }: Pick<typeof flags, 'dir' | 'host' | 'port' | 'insecure' | 'strict'> = flags;
  const files = models.length === 0 ? config.files : await expandPaths(models);
  const service = await serve({ ...config, files, dir, host, port, insecure, strict, version: version() });
  // Without settings there is nothing to read.
  if (path !== undefined) reload = () => service.reload(() => readConfig(path));
  if (isDue) reload();
  const output = openOutput();
  const { names, setAside } = service;
  const served = names.length === 0 ? 'no model yet; the page there shows how to create one' : names.join(', ');
  const others =
    setAside.length === 0 ? '' : `Not served, because their files cannot be read: ${setAside.join(', ')}.\n`;
  await output.write(`The service is at ${service.url}\nIt serves ${served}. Ctrl-C ends it.\n${others}`);
  await output.finish();
  await interrupted;
  await service.close();
}

/** @throws HalfspaceError for a folder: that of models that learn goes behind --dir. */
function refuseFolders(paths: readonly string[]): void {
  for (const path of paths)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new HalfspaceError(
        'option-invalid',
        `expected model files; got the folder ${quote(path)}: --dir ${quote(path)} serves the models in it`,
      );
}

/** Returns the version of the command. The file is beside the bundle. */
function version(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

/** Resolves at the first Ctrl-C or termination request. A second one ends the process at once. */
function firstInterruption(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    };
    process.on('SIGINT', end).on('SIGTERM', end);
  });
}
