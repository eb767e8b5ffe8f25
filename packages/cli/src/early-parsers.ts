import { statSync } from 'node:fs';
import { leastBytes, ParserPool, threadsShareFiles, usefulThreads } from 'halfspace/node/parsers';

/**
 * The parser threads of this run. They start before the rest of the command is loaded, which takes about as long. The
 * arguments show whether the command reads a large text file. A wrong guess costs a little time and changes no result.
 */
export const parsers: ParserPool | undefined = start(process.argv.slice(2));

function start([name, ...args]: readonly string[]): ParserPool | undefined {
  if (name !== 'train' && name !== 'predict' && name !== 'evaluate') return undefined;
  if (!threadsShareFiles) return undefined;
  const threads = usefulThreads(threadsAsked(args));
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
