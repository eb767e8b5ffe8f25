import { readFileSync, statSync } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import { printable } from 'halfspace/printable';
import type { CheckedModel } from 'halfspace-server';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput, printResult } from '../output.ts';
import { usage } from '../usage.ts';

/** Runs `halfspace serve`: answers over HTTP until it is interrupted, and then writes every state. */
export async function serveModels(models: readonly string[], given: CommandOptions<'serve'>): Promise<void> {
  const { config: path, ...flags } = await claimFiles('serve', { models }, given);
  if (flags.check !== undefined) return checkFolder(flags.check, models, path, flags);
  if (flags.repair === true || flags.json === true) throw usage('--repair and --json go with --check FOLDER');
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
  const follow = flags.follow === undefined ? config.follow : { ...config.follow, url: flags.follow };
  const service = await serve({ ...config, files, dir, follow, host, port, insecure, strict, version: version() });
  // Without settings there is nothing to read.
  if (path !== undefined) reload = () => service.reload(() => readConfig(path));
  if (isDue) reload();
  const output = openOutput();
  const { names, setAside } = service;
  const none = follow === undefined ? 'no model yet; the page there shows how to create one' : 'no model yet';
  const served = names.length === 0 ? none : names.join(', ');
  const others =
    setAside.length === 0 ? '' : `Not served, because their files cannot be read: ${setAside.join(', ')}.\n`;
  const writer = follow === undefined ? '' : `It follows ${printable(follow.url)}, which takes all changes.\n`;
  await output.write(`The service is at ${service.url}\nIt serves ${served}. Ctrl-C ends it.\n${writer}${others}`);
  await output.finish();
  await interrupted;
  await service.close();
}

/** Runs `halfspace serve --check`. The exit status is 1 if a model cannot be served. */
async function checkFolder(
  dir: string,
  models: readonly string[],
  config: string | undefined,
  { repair, json, ...others }: Omit<CommandOptions<'serve'>, 'config'>,
): Promise<void> {
  const { check: _, ...more } = others;
  if (models.length > 0 || config !== undefined || Object.values(more).some((value) => value !== undefined))
    throw usage('--check FOLDER goes with --repair and --json only');
  const { checkModels } = await import('halfspace-server');
  const checked = await checkModels({ dir, repair });
  if (checked.some(({ state }) => state === 'repairable' || state === 'unreadable')) process.exitCode = 1;
  await printResult(json, {
    json: () => ({ models: checked }),
    text: () => (checked.length === 0 ? 'The folder has no models.\n' : checked.map(checkedText).join('')),
  });
}

function checkedText({ name, state, sequence, notes }: CheckedModel): string {
  const said = {
    whole: `whole${sequence === 0 ? '' : `, to record ${sequence}`}`,
    repairable: `damaged; --repair brings it back as of record ${sequence}`,
    repaired: `brought back as of record ${sequence}`,
    unreadable: 'damaged; restore its folder from a copy, or let the service retire it',
  }[state];
  return [`${name}: ${said}`, ...notes.map((note) => `  ${printable(note)}`)].map((line) => `${line}\n`).join('');
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
