import { statSync } from 'node:fs';
import { defaultThreads, leastBytes, ParserPool, threadsShareFiles } from 'halfspace/node/parsers';

/**
 * The threads that will parse for this run, started before the rest of the command is loaded, so that they are ready when it is. A look at the
 * arguments tells whether a large file of text is to be read: a wrong guess costs a little time, and nothing else depends on it.
 */
export const parsers: ParserPool | undefined = start(process.argv.slice(2));

function start([name, ...args]: readonly string[]): ParserPool | undefined {
  if (name !== 'train' && name !== 'predict' && name !== 'evaluate') return undefined;
  if (!threadsShareFiles) return undefined;
  const threads = threadsAsked(args) ?? defaultThreads();
  if (!(threads > 1) || !args.some(isLargeText)) return undefined;
  return new ParserPool(threads - 1);
}

function threadsAsked(args: readonly string[]): number | undefined {
  const at = args.findIndex((arg) => arg === '--threads' || arg.startsWith('--threads='));
  if (at === -1) return undefined;
  return Number(args[at] === '--threads' ? args[at + 1] : args[at]!.slice('--threads='.length));
}

function isLargeText(arg: string): boolean {
  if (!/\.(svm|libsvm|vw|dat)$/.test(arg)) return false;
  return (statSync(arg, { throwIfNoEntry: false })?.size ?? 0) >= leastBytes;
}
