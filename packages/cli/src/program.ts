import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parsers } from './early-parsers.ts';
import { reportFailure } from './failure.ts';
import { type CommandName, commands, flagOf, type OptionSpec, oneOrMore, severalFiles } from './options.ts';

const outputs = {
  // reportFailure prints errors.
  outputError: () => {},
  writeOut: (text: string) => {
    // `halfspace --help | head` closes the pipe early. Without a listener, Node throws the error outside of any call.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
    process.stdout.write(text);
  },
};

const program = new Command('halfspace')
  .description('Learns linear classifiers from files, tables and pipes.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand(false)
  .configureHelp({ showGlobalOptions: false })
  .exitOverride()
  .configureOutput(outputs)
  .addHelpText(
    'after',
    `
DATA is a path, a glob, or - for standard input. The file name shows the format: tables (csv, tsv, json, ndjson, parquet),
libsvm text (.svm, .libsvm) and Vowpal Wabbit text (.vw, .dat), each also compressed (.gz, .zst).

Exit status: 0 done; 1 a check failed; 2 usage; 3 bad data; 4 anything else.

  halfspace train mails.csv --label spam --holdout 0.2
  halfspace predict mails.model.json new.csv > classes.txt
`,
  );

/** Loads the function that runs a command. The bundle has a file for each (scripts/bundle.mjs). */
const load: { readonly [Name in CommandName]: () => Promise<(...given: never[]) => Promise<void>> } = {
  train: async () => (await import('./commands/train.ts')).train,
  learn: async () => (await import('./commands/learn.ts')).learn,
  predict: async () => (await import('./commands/predict.ts')).predict,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluate,
  compare: async () => (await import('./commands/compare.ts')).compare,
  certify: async () => (await import('./commands/certify.ts')).certify,
  check: async () => (await import('./commands/check.ts')).check,
  inspect: async () => (await import('./commands/inspect.ts')).inspect,
  export: async () => (await import('./commands/export.ts')).exportModel,
  import: async () => (await import('./commands/import.ts')).importModel,
  ledger: async () => (await import('./commands/ledger.ts')).ledger,
  picture: async () => (await import('./commands/picture.ts')).picture,
  lab: async () => (await import('./commands/lab.ts')).lab,
  serve: async () => (await import('./commands/serve.ts')).serveModels,
  worker: async () => (await import('./commands/shards.ts')).worker,
  mix: async () => (await import('./commands/shards.ts')).mix,
};

for (const [name, { about, arguments: positional, options }] of Object.entries(commands)) {
  const command = program.command(name).description(about).exitOverride().configureOutput(outputs);
  for (const [argument, text] of Object.entries(positional))
    command.argument(severalFiles.includes(argument) ? `[${argument}...]` : `<${argument}>`, text);
  addOptions(command, options);
  command.action(async (...given: unknown[]) => {
    const run = (await load[name as CommandName]()) as (...given: unknown[]) => Promise<void>;
    // commander passes the arguments, the options and the command.
    await run(...given.slice(0, -2), { ...(given.at(-2) as object), parsers });
  });
}

function addOptions(command: Command, specs: Readonly<Record<string, OptionSpec>>): void {
  for (const [name, spec] of Object.entries(specs)) {
    const { about, argument = '', negated = false, choices, parse, expected, listed, conflicts = [] } = spec;
    if (typeof negated === 'string') command.addOption(new Option(flagOf(name), about));
    const isNegated = negated !== false;
    const help = typeof negated === 'string' ? negated : about;
    const option = new Option(`${flagOf(isNegated ? `no-${name}` : name)} ${argument}`.trimEnd(), help);
    if (choices !== undefined) option.choices(choices);
    const parseOne = parse ?? ((text: string) => (choices?.includes(text) === false ? undefined : text));
    const parseEach = (text: string, before: unknown) => {
      const value = parseOne(text, before as never);
      if (value === undefined)
        throw new InvalidArgumentError(
          expected === undefined ? `Allowed choices are ${choices!.join(', ')}.` : `Expected ${expected}.`,
        );
      return value;
    };
    if (listed === true)
      option.argParser((text) => oneOrMore(text.split(',').map((each) => parseEach(each, undefined))));
    else if (parse !== undefined) option.argParser(parseEach);
    if (spec.default !== undefined) option.default(spec.default);
    command.addOption(option.conflicts([...conflicts]));
  }
}

parse().then(leave, async (error) => {
  process.exitCode = await reportFailure(error);
  // A failed command does not wait for its input: a pipe may stay open. Help is no failure and may still be on its way.
  if (process.exitCode !== 0) process.exit();
});

/** Adds the options of rules where they are needed, because only the library knows them and it takes time to load. */
async function parse(): Promise<void> {
  const name = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
  const command = program.commands.find((each) => each.name() === name);
  if (command !== undefined && (name === 'train' || name === 'compare' || name === 'learn' || name === 'picture')) {
    const { candidateOptions, drawnOptions, onlineOptions, ruleOptions } = await import('./rule-flags.ts');
    command.optionsGroup(name === 'compare' ? 'The rules:' : 'The rule:');
    addOptions(
      command,
      { train: ruleOptions, compare: candidateOptions, learn: onlineOptions, picture: drawnOptions }[name](),
    );
  }
  await program.parseAsync();
}

/**
 * Ends the process at once. Without this, Node would wait for threads and give back memory piece by piece, which takes
 * longer than many predictions. All output is written by now, except on Windows, where standard streams are
 * asynchronous.
 */
function leave(): void {
  if (process.platform !== 'win32') process.exit();
}

function version(): string {
  const path = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
