import type { Model } from 'halfspace';
import { readsLines } from '../table-features.ts';
import { cardOf, factsOf } from './html.ts';

/** Returns a card with the command that wrote the page, and how the model reads the data. */
export function readingCard({ features }: Model, args: readonly string[] = process.argv.slice(2)): string {
  return cardOf({
    title: 'Command and reading',
    body: factsOf([
      ['command', commandLine(args)],
      ...readsLines(features).map((line, i) => [i === 0 ? 'reads' : '', line] as const),
    ]),
  });
}

/** Returns a command line for a shell. `--json` is left out: the page is the same with it. */
function commandLine(args: readonly string[]): string {
  return ['halfspace', ...args.filter((each) => each !== '--json').map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
