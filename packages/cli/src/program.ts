import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { parsers } from './early-parsers.ts';
import { reportFailure } from './failure.ts';
import { formats } from './files/formats.ts';

/** Column widths follow the terminal; commander does the rest. */
const program = new Command('halfspace')
  .description('Learns linear classifiers, one mistake at a time, from files, tables and pipes.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand(false)
  .configureHelp({ showGlobalOptions: false })
  .exitOverride()
  .configureOutput({ outputError: () => {} })
  .addHelpText(
    'after',
    `
DATA is a path, a glob, or - for standard input. Tables (csv, tsv, json, ndjson, parquet), libsvm text (.svm, .libsvm) and
Vowpal Wabbit text (.vw, .dat) are known by their names, each also as .gz or .zst.

Exit status: 0 done; 1 a check that failed; 2 usage; 3 bad data; 4 anything else.

  halfspace train mails.csv --label spam --holdout 0.2
  halfspace predict mails.model.json new.csv > classes.txt
`,
  );

const wholeFrom = (least: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw new InvalidArgumentError(`Expected a whole number from ${least}.`);
  return value;
};

const portNumber = (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65535) throw new InvalidArgumentError('Expected a port, 0 to 65535.');
  return value;
};

const share = (text: string) => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('Expected a share in [0, 1].');
  return value;
};

const fraction = (text: string) => {
  const value = Number(text);
  if (!(value > 0 && value < 1)) throw new InvalidArgumentError('Expected a fraction between 0 and 1.');
  return value;
};

const classWeight = (text: string, given: Record<string, number> | 'balanced' | undefined) => {
  if (text === 'balanced' && given === undefined) return text;
  const [, name, weight] = /^(.*)=([^=]*)$/.exec(text) ?? [];
  const value = weight === undefined || weight.trim() === '' ? Number.NaN : Number(weight);
  if (name === undefined || given === 'balanced' || !(value > 0 && value < Infinity))
    throw new InvalidArgumentError('Expected balanced, or CLASS=NUMBER with a number above 0.');
  return { ...given, [name]: value };
};

const multiclassOption = () =>
  new Option('--multiclass <how>', 'how three and more classes are learned (default: one-vs-rest)').choices([
    'one-vs-rest',
    'kesler',
  ]);

const columnOption = () =>
  new Option(
    '--column <name=kind>',
    'read a column as number, category, text, date or boolean, or drop it; may be repeated',
  ).argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text]);

const featuresOption = () =>
  new Option('--features <file>', 'JSON that says how columns become features (docs/data.md)');

/** The options that say how DATA are to be read, which every command that reads them has. */
function readsData(command: Command): Command {
  return command
    .addOption(new Option('--format <name>', 'format of DATA, where its name does not tell').choices(formats))
    .option('--sql <query>', 'a query over files, instead of DATA')
    .option('--no-header', "a table's first line is data; columns are column0, column1, …")
    .addOption(
      new Option('--on-error <what>', 'stop at the first bad row, or set bad rows aside')
        .choices(['fail', 'skip'])
        .default('fail'),
    )
    .option('--rejects <file>', 'where rows that were set aside go (default: DATA.rejects)')
    .option(
      '--threads <n>',
      'threads to read with; the result is the same (default: as many as there are cores, up to 4)',
      wholeFrom(1),
    )
    .option(
      '--longest-line <mib>',
      'the longest line of libsvm and Vowpal Wabbit text that is read, in MiB (default: 64)',
      wholeFrom(1),
    );
}

const trainCommand = readsData(program.command('train'))
  .description('learn a model from examples')
  .argument('[data...]', 'files of examples, or -')
  .option('--label <name>', 'the column to predict (default: label, class, target or y, else the last)')
  .option('--positive <class>', 'the class to set against the rest')
  .addOption(multiclassOption())
  .option('--class-weight <class=n>', 'what the rows of a class count, or balanced; may be repeated', classWeight)
  .addOption(
    new Option('--as <lecture>', "a lecture's perceptron, exactly").choices([
      'lecture-9',
      'lecture-9-algorithm-2',
      'cs4780',
      'foda',
      'blog',
      'slides',
    ]),
  )
  .option(
    '--passes <n>',
    'the most passes over the examples (default: 10 to 100, the fewer the larger the data)',
    wholeFrom(1),
  )
  .addOption(
    new Option(
      '--order <name>',
      'order of the examples (default: auto, shuffled-once where they fit into memory and there are several passes, else cyclic)',
    ).choices(['auto', 'cyclic', 'shuffled', 'shuffled-once', 'random']),
  )
  .option(
    '--patience <n>',
    'stop after n passes that did no better on a tenth of the rows, set aside for that, and keep the best pass',
    wholeFrom(1),
  )
  .option('--seed <n>', 'seed of every random choice (default: 1)', wholeFrom(0))
  .addOption(
    new Option('--scale <how>', 'scaling (default: standard for tables, else none)').choices([
      'none',
      'standard',
      'unit-ball',
      'max-norm',
    ]),
  )
  .addOption(columnOption())
  .addOption(featuresOption())
  .option('--bits <n>', 'hash the features of Vowpal Wabbit text to 2^n instead of keeping names', wholeFrom(1))
  .addOption(
    new Option('--holdout <fraction>', 'judge on a share of the examples, not learned from').argParser(fraction),
  )
  .addOption(new Option('--validate <file>', 'judge on the examples of another file').conflicts('holdout'))
  .addOption(
    new Option(
      '--margin-gap <gap>',
      'look for the largest margin there is, until its bounds are this far apart (1e-6 is usual)',
    ).argParser(fraction),
  )
  .addOption(
    new Option(
      '--calibrate <how>',
      'turn scores into probabilities, fitted on a cross-validation: platt a sigmoid, isotonic any rising curve',
    ).choices(['platt', 'isotonic']),
  )
  .option('--model <file>', 'where the model goes (default: DATA.model.json, here)')
  .option('--drawing <file>', 'for --rule tree: draw the tree there as SVG')
  .option('--ledger <file>', 'keep every update there, for `halfspace ledger`')
  .option('--report <file>', 'write a page with pictures of how good the model is, and what it goes by')
  .option('--json', 'print one JSON object')
  .action(async (data, options) => (await import('./commands/train.ts')).train(data, { ...options, parsers }));

readsData(program.command('predict'))
  .description('print the class of every row, one a line')
  .argument('<model>', 'a model file')
  .argument('[data...]', 'files of rows, or -')
  .option('--scores', 'print class, tab, score (of several classes the score of each)')
  .addOption(
    new Option(
      '--probabilities',
      'print the most probable class, tab, probability of each class; the model must be calibrated',
    ).conflicts('scores'),
  )
  .addOption(
    new Option(
      '--abstain <share>',
      'print no class where the winner of a vote is ahead by less than this share of all votes; the model must be one that votes',
    ).argParser(share),
  )
  .option('--output <file>', 'write there instead of printing')
  .action(async (model, data, options) =>
    (await import('./commands/predict.ts')).predict(model, data, { ...options, parsers }),
  );

readsData(program.command('evaluate'))
  .description('judge a model on labelled examples')
  .argument('<model>', 'a model file')
  .argument('[data...]', 'files of examples, or -')
  .option('--label <name>', "the column with the classes (default: the model's)")
  .option('--report <file>', 'write a page with pictures of how good the model is')
  .option('--json', 'print one JSON object')
  .action(async (model, data, options) =>
    (await import('./commands/evaluate.ts')).evaluate(model, data, { ...options, parsers }),
  );

const compareCommand = readsData(program.command('compare'))
  .description('rules side by side, cross-validated on the same rows')
  .argument('[data...]', 'files of examples, or -')
  .option('--label <name>', 'the column to predict (default: label, class, target or y, else the last)')
  .option('--positive <class>', 'the class to set against the rest')
  .addOption(multiclassOption())
  .option('--class-weight <class=n>', 'what the rows of a class count, or balanced; may be repeated', classWeight)
  .option('--folds <k>', 'parts, each of which is judged by what the others taught (default: 5)', wholeFrom(2))
  .option('--repeats <n>', 'how often the rows are dealt out to folds anew (default: 3)', wholeFrom(1))
  .option('--passes <n>', 'passes over the rows to learn from (default: 10)', wholeFrom(1))
  .option('--seed <n>', 'seed of every random choice (default: 1)', wholeFrom(0))
  .addOption(new Option('--scale <how>', 'scaling of tables (default: standard)').choices(['none', 'standard']))
  .addOption(columnOption())
  .addOption(featuresOption())
  .option('--bits <n>', 'hash the features of Vowpal Wabbit text to 2^n instead of keeping names', wholeFrom(1))
  .option('--json', 'print one JSON object')
  .action(async (data, options) => (await import('./commands/compare.ts')).compare(data, { ...options, parsers }));

readsData(program.command('certify'))
  .description('prove that a line separates two classes, or that none does')
  .argument('[data...]', 'files of examples, or -')
  .option('--label <name>', 'the column with the classes (default: label, class, target or y, else the last)')
  .option('--positive <class>', 'the class to set against the rest')
  .addOption(new Option('--scale <how>', 'scaling of tables (default: none)').choices(['none', 'standard']))
  .addOption(columnOption())
  .addOption(featuresOption())
  .option('--bits <n>', 'hash the features of Vowpal Wabbit text to 2^n instead of keeping names', wholeFrom(1))
  .option('--errors', 'where no line separates, also bound the fewest errors of any line')
  .option('--seconds <n>', 'take no longer, and leave what is proved by then (default: 60)', wholeFrom(1))
  .option('--certificate <file>', 'where the certificate goes (default: DATA.certificate.json, here)')
  .option('--json', 'print one JSON object')
  .action(async (data, options) => (await import('./commands/certify.ts')).certify(data, { ...options, parsers }));

readsData(program.command('check'))
  .description('verify a certificate against its data')
  .argument('<certificate>', 'a file that certify wrote')
  .argument('[data...]', 'files of examples, or -')
  .option('--json', 'print one JSON object')
  .action(async (certificate, data, options) =>
    (await import('./commands/check.ts')).check(certificate, data, { ...options, parsers }),
  );

program
  .command('inspect')
  .description('show what a model learned, from what, and how it ended')
  .argument('<model>', 'a model file')
  .option('--top <n>', 'how many features to list', wholeFrom(0), 20)
  .option('--drawing <file>', 'of a tree: draw it there as SVG')
  .option('--json', 'print one JSON object')
  .action(async (model, options) => (await import('./commands/inspect.ts')).inspect(model, options));

readsData(program.command('ledger'))
  .description(
    'ask the ledger of a run which mistakes made a weight or a score, or make the run again, without a row too',
  )
  .argument('<ledger>', 'a ledger, as train --ledger writes it')
  .argument('[data...]', 'the files that it was trained on; without them only the ledger is looked at')
  .option('--weight <name>', 'which updates made this weight: the name of a feature, or bias')
  .option(
    '--row <n>',
    'which updates row n made, and with DATA which rows made its score; rows count from 1',
    wholeFrom(1),
  )
  .option('--class <name>', 'of several classes, the one whose weight or score is asked about')
  .option('--step <n>', 'stop after update n instead of at the end', wholeFrom(1))
  .addOption(
    new Option('--forget <n>', 'train without row n, as if it had never been seen')
      .argParser(wholeFrom(1))
      .conflicts(['weight', 'row', 'step']),
  )
  .option('--model <file>', 'write the model there that comes out: of the run, of --step, or of --forget')
  .option('--top <n>', 'how many rows to list', wholeFrom(0), 12)
  .option('--partial', 'read a ledger that is cut or damaged up to its last whole block')
  .option('--json', 'print one JSON object')
  .action(async (ledger, data, options) =>
    (await import('./commands/ledger.ts')).ledger(ledger, data, { ...options, parsers }),
  );

program
  .command('lab')
  .description('open the lab: a page where the perceptron and its proof move with your data')
  .argument('[data...]', 'a table to open in it: csv, tsv, json, ndjson, parquet; or -')
  .addOption(new Option('--format <name>', 'format of DATA, where its name does not tell').choices(formats))
  .option('--sql <query>', 'a query over files, instead of DATA')
  .option('--no-header', "a table's first line is data; columns are column0, column1, …")
  .option('--label <name>', 'the column to predict (default: label, class, target or y, else the last)')
  .option('--port <n>', 'port on this machine (default: 4280, or the next that is free)', portNumber)
  .option('--no-open', 'print the address, and open no browser')
  .action(async (data, options) => (await import('./commands/lab.ts')).lab(data, options));

for (const command of program.commands) command.exitOverride().configureOutput({ outputError: () => {} });

parse().then(leave, async (error) => {
  process.exitCode = await reportFailure(error);
  // What has failed does not wait for its input: a pipe stays open for as long as its writer likes. Help, which is no failure, may
  // still be on its way.
  if (process.exitCode !== 0) process.exit();
});

/** What rules there are the library knows, and only commands that need it anyway are to wait for it. */
async function parse(): Promise<void> {
  const command = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
  if (command === 'train') (await import('./rule-flags.ts')).addRuleFlags(trainCommand);
  if (command === 'compare') (await import('./rule-flags.ts')).addCandidateFlags(compareCommand);
  await program.parseAsync();
}

/**
 * Leaves at once. By itself Node would wait for threads to end and give back all memory piece by piece, which takes longer
 * than many a prediction. All that was written has arrived by now, but where standard streams are asynchronous.
 */
function leave(): void {
  if (process.platform !== 'win32') process.exit();
}

function version(): string {
  const path = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
