import { CommanderError } from 'commander';
import { type CommandName, commands } from './options.ts';
import { lookOf } from './present.ts';
import { tell } from './standard-error.ts';

/** Words of other programs for options of ours. */
const optionWords: Readonly<Record<string, readonly string[]>> = {
  passes: ['epochs', 'iterations', 'iter', 'max-iter', 'num-epochs'],
  label: ['target', 'class', 'label-column', 'y', 'l'],
  holdout: ['test-size', 'test', 'split', 'test-split', 'validation-split'],
  rule: ['algorithm', 'algo', 'classifier', 'learner', 'method'],
  probabilities: ['proba', 'probs', 'predict-proba', 'probability'],
  output: ['out', 'o'],
  model: ['save', 'out', 'o', 'output', 'm'],
  column: ['drop', 'ignore', 'exclude', 'dtype', 'type', 'categorical'],
  threads: ['jobs', 'n-jobs', 'j', 'cores', 'workers'],
  seed: ['random-state', 'random-seed'],
  scale: ['normalize', 'normalise', 'standardize', 'standardise'],
  folds: ['cv', 'k', 'k-fold'],
  rules: ['rule', 'models', 'algorithms'],
  classWeight: ['weights', 'class-weights', 'w'],
  missing: ['na-values', 'na', 'nan', 'null'],
  version: ['v'],
};

/** Words of other programs for commands of ours. */
const commandWords: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  train: ['fit', 'build'],
  predict: ['classify', 'infer', 'apply'],
  evaluate: ['test', 'score', 'eval', 'validate'],
  compare: ['cv', 'tune', 'benchmark', 'cross-validate'],
  inspect: ['show', 'explain', 'describe', 'info', 'summary'],
  lab: ['ui', 'web', 'gui', 'open'],
  serve: ['server', 'daemon', 'service', 'deploy', 'host', 'http', 'api'],
  certify: ['prove'],
  check: ['verify'],
};

/** Names of other programs for choices of ours. */
const choiceWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '--rule': {
    svm: 'sgd --loss hinge',
    linearsvc: 'sgd --loss hinge',
    logisticregression: 'logistic',
    softmax: 'logistic',
    decisiontree: 'tree',
    pa: 'passive-aggressive',
  },
  '--metric': {
    auc: 'roc-area',
    rocauc: 'roc-area',
    f1score: 'f1',
    prauc: 'average-precision',
    ap: 'average-precision',
    crossentropy: 'log-loss',
  },
};

type Nearest = (name: string, known: readonly string[]) => string | null;

/**
 * Returns the message of the parser of arguments as "expected …; got …", with a suggestion for words of other programs,
 * and the command whose help to read.
 *
 * @param args the arguments of the command line.
 * @param nearest returns the known word that is most like a mistyped one, or null.
 */
export function argumentFault(message: string, args: readonly string[], nearest: Nearest): string {
  const name = args.find((argument) => !argument.startsWith('-'));
  const command = name !== undefined && Object.hasOwn(commands, name) ? (name as CommandName) : null;
  const help = ` (see halfspace ${command === null ? '' : `${command} `}--help)`;
  const [, option, given, word, allowed] =
    /^option '(--?[^ ',]+)[^']*' argument '([\s\S]*)' is invalid\. (Allowed choices are|Expected) ([\s\S]*?)\.?$/.exec(
      message,
    ) ?? [];
  if (option !== undefined) {
    const choices = allowed!.split(', ');
    const wrong = given!.split(',').find((each) => !choices.includes(each)) ?? given!;
    const known = choiceWords[option]?.[plain(wrong)];
    const choice = word === 'Expected' ? null : (known ?? likeChoice(wrong, choices) ?? nearest(wrong, choices));
    const hint = choice === null ? '' : `; did you mean ${choice}?`;
    return `expected ${option} to be ${word === 'Expected' ? allowed : inWords(allowed!)}; got ${given === '' ? 'nothing' : given}${hint}${help}`;
  }
  const [, bare, argument] = /^option '(--?[^ ',]+)(?:, --[^ ']+)? ?([^']*)' argument missing$/.exec(message) ?? [];
  if (bare !== undefined) return `expected ${argument} after ${bare}; got nothing${help}`;
  const [, lacking] = /^missing required argument '(.*)'$/.exec(message) ?? [];
  if (lacking !== undefined) return `expected ${lacking.toUpperCase()}; got nothing${help}`;
  const [, most, count] = /^too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/.exec(message) ?? [];
  if (most !== undefined) return `expected ${most} ${most === '1' ? 'argument' : 'arguments'}; got ${count}${help}`;
  const [, unknown] = /^unknown option '--?([^'=]+)/.exec(message) ?? [];
  const meant = unknown === undefined ? undefined : knownOption(unknown, command);
  if (meant !== undefined) return `unknown option '${dashed(unknown!)}'; did you mean ${meant}?${help}`;
  if (message.startsWith("unknown command 'help'")) {
    const about = args[args.indexOf('help') + 1] ?? '';
    return `unknown command 'help'; did you mean halfspace ${Object.hasOwn(commands, about) ? `${about} ` : ''}--help?`;
  }
  const [, other] = /^unknown command '(.*)'/.exec(message) ?? [];
  const known = Object.entries(commandWords).find(([, words]) => other !== undefined && words.includes(other));
  if (known !== undefined) return `unknown command '${other}'; did you mean ${known[0]}?${help}`;
  return `${message}${help}`;
}

function knownOption(given: string, command: CommandName | null): string | undefined {
  const word = given.toLowerCase();
  const names = command === null ? ['version'] : Object.keys(commands[command].options);
  const name = names.find((each) => optionWords[each]?.includes(word));
  if (name === undefined) return undefined;
  if (name === 'column') return `--column NAME=${/type|categorical/.test(word) ? 'KIND' : 'drop'}`;
  return name === 'version' ? '-V' : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function dashed(word: string): string {
  return word.length === 1 ? `-${word}` : `--${word}`;
}

const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Returns the choice that differs only in case and marks, or begins like the given word. */
function likeChoice(given: string, choices: readonly string[]): string | undefined {
  const word = plain(given);
  const begins = (choice: string) =>
    (word.length > 2 && choice.startsWith(word)) || (choice.length > 3 && word.startsWith(choice));
  return choices.find((choice) => plain(choice) === word) ?? choices.find((choice) => begins(plain(choice)));
}

/** Writes choices with "or" before the last one. */
function inWords(choices: string): string {
  return choices.replace(/, ([^,]*)$/, ' or $1');
}

/** Prints a failure as one line on standard error. Resolves to its exit status when the line is written. */
export async function reportFailure(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command, the help has been printed.
    if (error.code !== 'commander.help') {
      // The library takes time to load.
      const isWord = error.code === 'commander.invalidArgument';
      const nearest = isWord ? (await import('halfspace/checks')).nearestName : () => null;
      await print(argumentFault(inOneLine(error.message), process.argv.slice(2), nearest));
    }
    // The exit status of `option-invalid` in errorCodes.
    return 2;
  }
  const { errorCodes, HalfspaceError } = await import('halfspace');
  if (error instanceof HalfspaceError) {
    await print(lookOf(2).colours ? `${error.message} [${error.code}]` : error.message);
    return errorCodes[error.code].exit;
  }
  const { message, code } = error as NodeJS.ErrnoException;
  await print(`unexpected error: ${message ?? String(error)}${code === undefined ? '' : ` (${code})`}`);
  if (process.env.HALFSPACE_DEBUG !== undefined && error instanceof Error)
    for (const line of (error.stack ?? '').split('\n')) await tell(line);
  return 4;
}

async function print(message: string): Promise<void> {
  await tell(`halfspace: ${message.replace(/\s*\n\s*/g, '; ').trim()}`);
}

/** The parser of arguments puts its hint into a line and brackets of its own. */
function inOneLine(message: string): string {
  return message.replace(/^error: /, '').replace(/\s*\n\(Did (you mean .*\?)\)/, '; did $1');
}
