import type { ParserPool } from 'halfspace/node';
import type { SizeId } from 'halfspace-lab/export/still.ts';
import { formats } from './files/formats.ts';
import type { OutputKind } from './files/output-kinds.ts';

/*
 * The commands, their arguments and options as data. The help, the parser, the types of the options, and the check that
 * no output overwrites an input (files/claim.ts) all follow this file. The options of update rules come from the
 * library (rule-flags.ts).
 */

export interface OptionSpec {
  /** One line for the help. */
  readonly about: string;
  /** The value's name in the help, such as `<n>`. Without one the option is a switch. */
  readonly argument?: string;
  /**
   * For a switch that is on by default: the flag is `--no-NAME`. A text: there is also `--NAME`, none of them is the
   * default, and this is the help of `--no-NAME`.
   */
  readonly negated?: true | string;
  readonly choices?: readonly string[];
  /**
   * Returns the value of a text, or undefined for a text that is not what `expected` says. Default: the text itself.
   */
  readonly parse?: (text: string, before?: never) => unknown;
  readonly expected?: string;
  /** True: values with commas between them are a list to try. */
  readonly listed?: true;
  readonly default?: unknown;
  /** Names of options that cannot be given together with this one. */
  readonly conflicts?: readonly string[];
  /** For the name of a file that the command reads. */
  readonly reads?: true;
  /** For the name of a file that the command writes: its kind. */
  readonly writes?: OutputKind;
  /** For the name of an output: `-` is standard output, and the report then goes to standard error. */
  readonly orStandardOutput?: true;
  /** The name of an input whose file this output may replace, once the input is read whole. */
  readonly replaces?: string;
  /**
   * The ending of a file's default name, which begins like the data's name. Without it and without the option, nothing
   * is written.
   */
  readonly suffix?: string;
}

export interface CommandSpec {
  readonly about: string;
  /**
   * Lines for the help, in order. Every argument names a file that the command reads; those in `severalFiles` name any
   * number of them.
   */
  readonly arguments: Readonly<Record<string, string>>;
  /** The kinds of arguments whose files the command reads, if they are there, and replaces. */
  readonly updates?: Readonly<Record<string, OutputKind>>;
  /** The argument that default names of outputs begin like. Default: DATA. */
  readonly namedFor?: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
}

const flag = (about: string) => ({ about });
const text = (argument: string, about: string) => ({ argument, about });
const input = (about: string) => ({ argument: '<file>', about, reads: true }) as const;
const output = (writes: OutputKind, about: string) => ({ argument: '<file>', about, writes });
const choice = <const Choice extends string>(argument: string, choices: readonly Choice[], about: string) => ({
  argument,
  about,
  choices,
});

function number(expected: string, fits: (value: number, text: string) => boolean, about: string, argument = '<n>') {
  const parse = (given: string): number | undefined => {
    const value = given.trim() === '' ? Number.NaN : Number(given);
    return fits(value, given) ? value : undefined;
  };
  return { argument, about, expected, parse };
}

const isWhole = (value: number, given: string) => /^\d+$/.test(given) && Number.isSafeInteger(value);
const whole = (least: number, about: string, argument = '<n>') =>
  number(`a whole number from ${least}`, (value, given) => isWhole(value, given) && value >= least, about, argument);
const port = number('a port, 0 to 65535', (value, given) => isWhole(value, given) && value <= 65535, 'port');
const fraction = (about: string, argument: string) =>
  number('a fraction between 0 and 1, such as 0.2', (value) => value > 0 && value < 1, about, argument);

type Weights = 'balanced' | Readonly<Record<string, number>>;

/** Reads `balanced`, `none,balanced`, `spam=5` or `spam=1,5`; repeated, every combination of the weights. */
function parseClassWeight(given: string, before?: Weights | readonly Weights[]) {
  const asked = given.split(',');
  if (before === undefined && asked.every((each) => each === 'balanced' || each === 'none'))
    return oneOrMore(asked.map((each): Weights => (each === 'none' ? {} : 'balanced')));
  const [, name, list] = /^(.*)=([^=]*)$/.exec(given) ?? [];
  const values = (list ?? '').split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const weights = [before ?? {}].flat() as Weights[];
  if (name === undefined || weights.includes('balanced') || !values.every((each) => each > 0 && each < Infinity))
    return undefined;
  const combined = weights.flatMap((each) => values.map((value): Weights => ({ ...(each as object), [name]: value })));
  return oneOrMore(combined);
}

/** Returns the only value of a list, or the list. */
export function oneOrMore<T>(values: readonly T[]): T | readonly T[] {
  return values.length === 1 ? values[0]! : values;
}

function parseBend(given: string): 'auto' | 'none' | number | undefined {
  if (given === 'auto' || given === 'none') return given;
  return isWhole(Number(given), given) && Number(given) >= 1 && Number(given) <= 999 ? Number(given) : undefined;
}

/** Reads `age*hours,sex*age`; the name of a column with a star or a comma needs the library. */
function parsePairs(given: string): 'auto' | 'none' | number | [string, string][] | undefined {
  if (given === 'auto' || given === 'none') return given;
  if (isWhole(Number(given), given)) return Number(given) <= 100 ? Number(given) : undefined;
  return parseNamedPairs(given);
}

function parseNamedPairs(given: string): [string, string][] | undefined {
  const pairs = given.split(',').map((pair) => pair.split('*'));
  const fits = pairs.every(([one, other, ...rest]) => one && other && one !== other && rest.length === 0);
  return fits ? (pairs as [string, string][]) : undefined;
}

/** Names of hosts only: other signs would change the content policy that names the origin. */
const originPattern = /^https?:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/;

function isOrigin(given: string): boolean {
  return originPattern.test(given) && URL.canParse(given) && new URL(given).origin === given;
}

/** Reads a delimiter, where a shell hardly types it: \\t, \\u0001, ^A. */
function parseDelimiter(given: string): string | undefined {
  const text = given
    .replace(/\\t/g, '\t')
    .replace(/\\(?:u|x)([0-9a-f]{4}|[0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\^A/g, '\u0001');
  return /^[^"\r\n]+$/.test(text) ? text : undefined;
}

/** The form of delimited text. */
const delimited = {
  delimiter: {
    ...text(
      '<text>',
      "characters between the cells of CSV, such as ';', '::' or '\\t'; ' ' means any blanks (default: guessed)",
    ),
    expected: 'one or more characters, no quote and no line end',
    parse: parseDelimiter,
  },
  quote: {
    ...text('<character>', 'character that encloses cells, or none (default: guessed)'),
    expected: 'one ASCII character, or none',
    parse: (given: string) => (/^(?:[!-~]|none)$/.test(given) ? given : undefined),
  },
  comment: {
    ...text('<text>', 'leave out lines that begin so, or none (default: guessed)'),
    expected: 'the beginning of a line, or none',
    parse: (given: string) => (/^[^\r\n]+$/.test(given) ? given : undefined),
  },
  skipLines: whole(0, 'leave out n lines above the names (default: guessed)'),
} as const;

const table = {
  format: choice('<name>', formats, 'format of DATA; needed if the file name does not show it'),
  sql: text('<query>', 'read the result of a query over files instead of DATA'),
  header: {
    about: 'the first line of a table has the names of its columns (default: guessed)',
    negated: 'the first line of a table is data; its columns are column0, column1, …',
  },
  ...delimited,
} as const;

/** The options of all commands that read examples. */
const reading = {
  ...table,
  encoding: text(
    '<name>',
    'character encoding of tables, such as latin1 or utf-16le (default: UTF-8, or what the text shows)',
  ),
  onError: { ...choice('<what>', ['fail', 'skip'], 'stop at the first bad row, or skip bad rows'), default: 'fail' },
  rejects: { ...output('rejects', 'write skipped rows to this file (default: DATA.rejects)'), suffix: '.rejects' },
  threads: whole(
    1,
    'number of threads; any number gives the same result (default: number of cores, for reading at most 4)',
  ),
  longestLine: whole(1, 'maximum length of a line of libsvm or Vowpal Wabbit text, in MiB (default: 64)', '<mib>'),
} as const;

const label = text('<name>', 'column with the class (default: label, class, target or y, else the last column)');
const json = flag('print one JSON object');

/** The options that decide how columns are read. */
const columns = {
  positive: text(
    '<class>',
    "positive class; all others together are the negative class; '>= 20' makes two classes of a column of numbers",
  ),
  joinLabels: flag(
    "make one class of labels that differ only in letter case, in a number's notation or in a dot at the end",
  ),
  column: {
    ...text(
      '<name=kind>',
      'read a column as number, category, set, text, date or boolean, or drop it; number:decimal-comma, date:dmy and set:; also say how they are written, number:rising and number:falling how the score goes, text:words and text:letters what is read; may be repeated',
    ),
    parse: (given: string, before?: readonly string[]) => [...(before ?? []), given],
  },
  missing: {
    ...text(
      '<words>',
      'further words for missing values, separated by commas, such as -,n/a; none takes NA, null and ? for values, COLUMN=none of one column; may be repeated',
    ),
    expected: 'words, separated by commas',
    parse: (given: string, before?: readonly string[]) => {
      const words = given.split(',').map((word) => word.trim());
      return words.includes('') ? undefined : [...(before ?? []), ...words];
    },
  },
  features: input('JSON file that says how columns become features (docs/tables.md)'),
} as const;

/** The options of all commands that decide how rows become examples. */
const encoding = {
  label,
  ...columns,
  bits: whole(1, 'hash the features of Vowpal Wabbit text to 2^n instead of keeping their names'),
} as const;

const weight = text('<name>', 'column of a table with the weight of each row, a number from 0; 0 counts as absent');

/** The options that `train` and `compare` share. */
const learning = {
  ...encoding,
  weight,
  multiclass: choice(
    '<how>',
    ['one-vs-rest', 'kesler', 'joint'],
    'how to learn three or more classes; joint is for --loss multinomial (default: one-vs-rest)',
  ),
  classWeight: {
    ...text(
      '<class=n>',
      'weight of the rows of a class, or balanced; may be repeated; lists to try: none,balanced or CLASS=1,5',
    ),
    expected: 'balanced, or CLASS=NUMBER with a number above 0, or a list such as none,balanced or CLASS=1,5',
    parse: parseClassWeight,
  },
  metric: choice(
    '<name>',
    ['accuracy', 'balanced-accuracy', 'f1', 'roc-area', 'average-precision', 'log-loss', 'cost'],
    'choose by this metric (default: accuracy; balanced-accuracy with --class-weight balanced; log-loss with --calibrate)',
  ),
  cost: {
    ...text(
      '<fp,fn>',
      'choose by cost: that of a false positive and of a false negative, such as false-positive=1,false-negative=10, or 1,10',
    ),
    expected: 'two numbers from 0, not both 0, such as 1,10 or false-positive=1,false-negative=10',
    parse: parseCosts,
  },
  seed: whole(0, 'seed of all random choices (default: 1)'),
} as const;

const costNames = {
  fp: 'falsePositive',
  'false-positive': 'falsePositive',
  fn: 'falseNegative',
  'false-negative': 'falseNegative',
} as const;

/** Options that give a search lists of values. */
const searched = {
  features: { ...columns.features, listed: true },
  seconds: whole(1, 'a search by lists of values: try no further one after n seconds (default: no limit)'),
} as const;

/** Reads two costs by name, in any order, or without names: that of a false positive first. */
function parseCosts(given: string) {
  const costs: { falsePositive?: number; falseNegative?: number } = {};
  for (const [k, part] of given.split(',').entries()) {
    const [, name, word] = /^\s*(?:([a-z-]+)\s*=)?\s*([^=\s]+)\s*$/.exec(part) ?? [];
    const key = name === undefined ? (['falsePositive', 'falseNegative'] as const)[k] : costNames[name as 'fp'];
    if (word === undefined || key === undefined || costs[key] !== undefined) return undefined;
    costs[key] = Number(word);
  }
  const { falsePositive = Number.NaN, falseNegative = Number.NaN } = costs;
  const sum = falsePositive + falseNegative;
  if (!(falsePositive >= 0 && falseNegative >= 0 && sum > 0 && sum < Infinity)) return undefined;
  return { falsePositive, falseNegative };
}

/** Arguments that name any number of files. */
export const severalFiles: readonly string[] = ['data', 'models', 'results'];

/** Names of further layers of `picture`, with their ids in the lab's plane. */
const layers = { radius: 'radius', widest: 'star', hulls: 'contradiction' } as const;
const sizes = ['page', 'slide', 'column', 'columns'] as const satisfies readonly SizeId[];

/** The targets of `export`, with the options of each. */
export const exportOptions = {
  javascript: ['form', 'name'],
  typescript: [],
  c: ['name'],
  sql: ['dialect', 'table'],
  onnx: [],
  liblinear: [],
  'scikit-learn': [],
} as const;

/** The files that `import` reads. */
export const importFormats = ['liblinear', 'scikit-learn', 'onnx-linear', 'json'] as const;

export const commands = {
  train: {
    about: 'learn a model from examples',
    arguments: { data: 'files of examples, or -' },
    options: {
      ...reading,
      ...learning,
      ...searched,
      as: choice(
        '<lecture>',
        ['lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'foda', 'blog', 'slides'],
        'run the perceptron exactly as this lecture defines it',
      ),
      passes: {
        ...whole(1, 'maximum number of passes over the examples (default: 10 to 100, fewer for more data)'),
        listed: true,
      },
      order: choice(
        '<name>',
        ['auto', 'cyclic', 'shuffled', 'shuffled-once', 'random'],
        'order of the examples (default: auto: shuffled-once if they fit into memory and there are several passes, else cyclic)',
      ),
      patience: whole(
        1,
        'early stopping: hold out a tenth of the rows of every class, stop after n passes without improvement on them, keep the best pass',
      ),
      scale: {
        ...choice(
          '<how>',
          ['none', 'standard', 'unit-ball', 'max-norm'],
          'scaling of the features (default: standard for tables, none for text)',
        ),
        listed: true,
      },
      holdout: fraction('hold out this share of the examples and evaluate the model on them', '<fraction>'),
      validate: { ...input('evaluate the model on the examples of another file'), conflicts: ['holdout'] },
      marginGap: fraction(
        'search for the largest margin until its bounds differ by at most this share (1e-6 is usual)',
        '<gap>',
      ),
      threshold: choice(
        '<how>',
        ['best'],
        'two classes: move the decision to the score with the best accuracy, balanced-accuracy, f1 or cost (--metric)',
      ),
      means: flag('keep the mean of every feature in the model, for the mean row of predict --explain'),
      bend: {
        argument: '<cuts>',
        about:
          'tables: bend the score along each number, cut in at most n places; none: numbers stay straight (default: auto, which is chosen like the rule)',
        expected: 'auto, none or a whole number from 1 to 999',
        parse: parseBend,
      },
      pairs: {
        argument: '<pairs>',
        about:
          'tables: weights for pairs of columns that matter together, at most n, or a*b,c*d by name; none: no pairs (default: auto, which is chosen like the rule)',
        expected: 'auto, none, a whole number up to 100, or pairs a*b,c*d of columns',
        parse: parsePairs,
      },
      calibrate: choice(
        '<how>',
        ['platt', 'isotonic'],
        'fit probabilities to scores by cross-validation: platt fits a sigmoid, isotonic any rising curve',
      ),
      model: {
        ...output('model', 'write the model to this file, - for standard output (default: DATA.model.json here)'),
        suffix: '.model.json',
        orStandardOutput: true,
      },
      state: {
        ...output('state', 'write the state of the run to this file; --continue goes on from it'),
        replaces: 'continue',
      },
      continue: input('go on from this state, with its rule and classes, instead of from the beginning'),
      drawing: output('drawing', 'for --rule tree: draw the tree as SVG'),
      ledger: output('ledger', 'record all updates, for `halfspace ledger`'),
      report: output('report', 'write an HTML page with charts of the model and its errors'),
      verbose: { ...flag('print every column and every candidate, not only the first'), conflicts: ['json'] },
      json,
    },
  },
  learn: {
    about: 'learn row by row and go on later; predict each row before it is learned',
    arguments: {
      state: 'the state file, made where absent',
      data: 'files of examples, or -; without them, make the model',
    },
    updates: { state: 'stream' },
    namedFor: 'state',
    options: {
      format: choice(
        '<name>',
        formats.filter((each) => each !== 'parquet'),
        'format of DATA; needed if the file name does not show it',
      ),
      header: table.header,
      ...delimited,
      encoding: text('<name>', 'character encoding of tables, such as latin1 or utf-16le (default: UTF-8)'),
      label,
      positive: text('<class>', 'positive class; all other classes together are the negative class'),
      column: {
        ...encoding.column,
        about:
          'take a column as number, category, set, text, date or boolean, or drop it; may be repeated (default: by its first 50 values); bag: objects of JSON are bags of features',
      },
      scale: choice('<how>', ['standard', 'none'], 'scaling of the columns of tables (default: standard)'),
      bits: whole(1, 'hash the features of Vowpal Wabbit text to 2^n, n up to 24, instead of keeping their names'),
      progressive: flag('print the class of every row before learning from it, one per line'),
      scores: flag('with --progressive: print class, tab, score; for three or more classes the score of each class'),
      probabilities: {
        ...flag('with --progressive and --calibrate: print class, tab, probability of each class'),
        conflicts: ['scores'],
      },
      calibrate: flag('fit probabilities to the scores of the latest 2,000 rows, for the model and --probabilities'),
      window: {
        ...number(
          'a whole number from 1 to 1000000',
          (value, given) => isWhole(value, given) && value >= 1 && value <= 1e6,
          'number of the latest rows that are judged by themselves (default: 1000)',
        ),
      },
      drift: choice(
        '<name>',
        ['adwin', 'page-hinkley'],
        'tell when errors become more frequent, by this test (default: none)',
      ),
      skip: { ...whole(0, 'skip the first n rows of DATA'), conflicts: ['resume'] },
      resume: flag('skip the rows of DATA that an interrupted run has learned; all other rows follow'),
      saveEvery: { ...whole(1, 'save the state after every n rows, besides at the end'), default: 10_000 },
      model: {
        ...output('model', 'write the model to this file (default: STATE.model.json in the current folder)'),
        suffix: '.model.json',
      },
      onError: reading.onError,
      rejects: { ...reading.rejects, about: 'write skipped rows to this file (default: STATE.rejects)' },
      longestLine: reading.longestLine,
      json: { ...json, conflicts: ['progressive'] },
    },
  },
  predict: {
    about: 'print the class of every row, one per line',
    arguments: { model: 'a model file', data: 'files of rows, or -' },
    options: {
      ...reading,
      scores: flag('print class, tab, score; for three or more classes the score of each class'),
      probabilities: {
        ...flag('print the most probable class, tab, probability of each class; needs a calibrated model'),
        conflicts: ['scores'],
      },
      abstain: number(
        'a share in [0, 1]',
        (value) => value >= 0 && value <= 1,
        'print no class if the winner leads by less than this share of all votes; needs a model that votes',
        '<share>',
      ),
      explain: whole(
        1,
        'explain the score of each row by its n strongest terms, against the mean row; needs a linear model',
      ),
      explainClass: text(
        '<class>',
        'explain the score of this class (default: the positive one of two classes, else the predicted one)',
      ),
      withInput: {
        ...flag('print a table: all columns of DATA, then those of the prediction'),
        conflicts: ['id'],
      },
      id: text('<column>', 'print a table: this column, then those of the prediction; tag for Vowpal Wabbit text'),
      prefix: text('<text>', 'begin the names of the columns of the prediction with this text'),
      output: output(
        'predictions',
        'write to this file instead of standard output: .csv, .tsv or .ndjson writes a table, other names lines',
      ),
    },
  },
  evaluate: {
    about: 'evaluate a model on labelled examples',
    arguments: { model: 'a model file', data: 'files of examples, or -' },
    options: {
      ...reading,
      label: text('<name>', "column with the class (default: the model's)"),
      weight: {
        ...weight,
        about:
          "column of a table with the weight of each row; 0 counts as absent (default: the model's, if it is there)",
      },
      report: output('report', 'write an HTML page with charts of the errors'),
      json,
    },
  },
  compare: {
    about: 'compare update rules by cross-validation on the same folds',
    arguments: { data: 'files of examples, or -' },
    options: {
      ...reading,
      ...learning,
      ...searched,
      folds: whole(2, 'number of folds (default: 5)'),
      repeats: whole(1, 'number of cross-validations, each with new folds (default: 3)'),
      passes: { ...whole(1, 'number of passes over the training rows (default: 10)'), listed: true },
      scale: { ...choice('<how>', ['none', 'standard'], 'scaling of tables (default: standard)'), listed: true },
      json,
    },
  },
  certify: {
    about: 'prove that a line separates two classes, or that no line does',
    arguments: { data: 'files of examples, or -' },
    options: {
      ...reading,
      ...encoding,
      scale: choice('<how>', ['none', 'standard'], 'scaling of tables (default: none)'),
      pairs: {
        argument: '<pairs>',
        about: 'prove it in the lifted space that has the products of these pairs of features too: a*b,c*d',
        expected: 'pairs a*b,c*d of features',
        parse: parseNamedPairs,
      },
      errors: flag('if no line separates the classes, also prove bounds on the fewest errors of any line'),
      predict: input('rows of the same columns: prove how all lines with fewest errors classify each of them'),
      seconds: whole(1, 'stop after n seconds with what is proved by then (default: 60)'),
      numbers: choice(
        '<meaning>',
        ['written', 'doubles'],
        'prove about decimals as they are written, or about the doubles nearest to them (default: written)',
      ),
      canonical: output('rows', 'also write the rows as exact numbers to this file, for check --canonical'),
      vipr: output('vipr', 'also write the verdict as a certificate of linear programming, for viprchk, to this file'),
      certificate: {
        ...output('certificate', 'write the certificate to this file (default: DATA.certificate.json here)'),
        suffix: '.certificate.json',
      },
      json,
    },
  },
  check: {
    about: 'verify a certificate against its data',
    arguments: { certificate: 'a file written by certify', data: 'files of examples, or -' },
    options: {
      ...reading,
      canonical: flag('DATA is a file of certify --canonical, so that only the checker must be trusted'),
      json,
    },
  },
  inspect: {
    about: 'show what a model learned, or how train reads the columns of a table',
    arguments: {
      model: 'a model file, or files of a table',
      data: 'further files; for --intervals: the training files, or -',
    },
    options: {
      top: { ...whole(0, 'number of features to list'), default: 20 },
      drawing: output('drawing', 'draw the tree as SVG; needs a tree model'),
      report: output('report', 'write an HTML page with the curves of the model and its strongest features'),
      intervals: flag('train again on samples of DATA, and show between which values the strongest weights lie'),
      runs: whole(2, '--intervals: number of runs (default: 200)'),
      confidence: fraction('--intervals: share of the runs between the ends (default: 0.95)', '<share>'),
      seed: whole(0, '--intervals: seed of the samples (default: 1)'),
      passes: whole(1, '--intervals: maximum number of passes of a run (default: as in the training of the model)'),
      patience: whole(1, '--intervals: early stopping, if the model was trained with it'),
      classWeight: {
        ...learning.classWeight,
        about: '--intervals: class weights, if the model was trained with them; may be repeated',
        expected: 'balanced, or CLASS=NUMBER with a number above 0',
        parse: (given: string, before?: Weights) => {
          const weights = parseClassWeight(given, before);
          return Array.isArray(weights) ? undefined : (weights as Weights | undefined);
        },
      },
      ...reading,
      ...columns,
      label: text('<name>', "column with the class (default: the model's; of a table as in train)"),
      json,
    },
  },
  export: {
    about: 'write a model as a program or a file for another runtime',
    arguments: { model: 'a model file' },
    options: {
      to: choice('<target>', Object.keys(exportOptions) as (keyof typeof exportOptions)[], 'what to write'),
      form: choice(
        '<form>',
        ['module', 'commonjs', 'function'],
        'javascript: how other code loads it (default: module)',
      ),
      name: text('<name>', 'c: beginning of all names; javascript, form function: the constant (default: model)'),
      dialect: choice('<database>', ['duckdb', 'postgresql', 'bigquery'], 'sql: the database (default: duckdb)'),
      table: text('<name>', 'sql: the table with the rows (default: data)'),
      output: output('program', 'write to this file (default: standard output)'),
      check: input('then ask the program the rows of this file, and compare the answers with those of the model'),
    },
  },
  import: {
    about: 'make a model file of a linear model of another program',
    arguments: {
      file: 'a model file of LIBLINEAR, JSON with coefficients of scikit-learn, or an ONNX LinearClassifier',
    },
    namedFor: 'file',
    options: {
      from: choice('<format>', importFormats, 'format of the file (default: as its beginning shows)'),
      model: {
        ...output('model', 'write the model to this file (default: FILE.model.json here)'),
        suffix: '.model.json',
      },
    },
  },
  ledger: {
    about: 'explain a weight or a score by the updates of a recorded run, or repeat the run, with or without a row',
    arguments: {
      ledger: 'a ledger, written by train --ledger',
      data: 'the training files; without them the command reads the ledger only',
    },
    options: {
      ...reading,
      weight: text('<name>', 'list the updates of this weight: the name of a feature, or bias'),
      row: whole(1, 'list the updates on row n and, with DATA, the rows that made its score; rows count from 1'),
      class: text('<name>', 'of three or more classes, the class of the weight or score'),
      step: whole(1, 'stop after update n instead of at the end'),
      forget: {
        ...whole(1, 'train without row n, as if it had never been in the data'),
        conflicts: ['weight', 'row', 'step'],
      },
      model: output('model', 'write the model of the repeated run, of --step or of --forget to this file'),
      top: { ...whole(0, 'number of rows to list'), default: 12 },
      partial: flag('read a cut or damaged ledger up to its last whole block'),
      json,
    },
  },
  lab: {
    about: 'open the lab: a web page that shows the perceptron and its proof on your data',
    arguments: { data: 'a table to open: csv, tsv, json, ndjson, parquet; or -' },
    options: {
      ...table,
      label,
      port: { ...port, about: 'port on this machine (default: 4280, or the next free port)' },
      frame: {
        ...text(
          '<origin>',
          'let pages of this origin show the lab in a frame, such as https://example.org; may be repeated (default: none)',
        ),
        expected: 'an origin without a path, such as https://example.org or http://localhost:8000',
        parse: (given: string, before?: readonly string[]) =>
          isOrigin(given) ? [...(before ?? []), given] : undefined,
      },
      open: { negated: true, about: 'print the address but open no browser' },
    },
  },
  picture: {
    about: 'draw the examples of a table, the line that a rule learns, and its margin',
    arguments: { data: 'a table: csv, tsv, json, ndjson, parquet; or -' },
    options: {
      ...table,
      label,
      positive: columns.positive,
      missing: columns.missing,
      columns: {
        ...text('<names>', 'learn from these columns only, separated by commas; two of numbers make the plane'),
        parse: (given: string) => given.split(',').map((name) => name.trim()),
      },
      plane: choice(
        '<what>',
        ['normal', 'weights'],
        'for more than two features: seen along the line, or the two features of most weight (default: normal)',
      ),
      scale: choice('<how>', ['standard', 'none'], 'scaling of the columns (default: standard)'),
      seed: learning.seed,
      show: {
        ...text('<layers>', `also draw: ${Object.keys(layers).join(', ')}; separated by commas`),
        expected: `${Object.keys(layers).join(', ')}; one or more, separated by commas`,
        parse: (given: string) => {
          const ids = given.split(',').map((each) => layers[each.trim() as keyof typeof layers]);
          return ids.includes(undefined as never) ? undefined : ids;
        },
      },
      size: choice(
        '<name>',
        sizes,
        'size: page 10 × 6.7 inches, slide 16 : 9, column or columns of a paper (default: page)',
      ),
      theme: choice('<name>', ['light', 'dark'], 'colours (default: light)'),
      transparent: flag('draw no paper behind the picture'),
      caption: { negated: true, about: 'write no caption; the key of the symbols stays' },
      output: {
        ...output(
          'picture',
          'write to this file: .svg, or .tex for TikZ; - is standard output (default: DATA.svg here)',
        ),
        suffix: '.svg',
        orStandardOutput: true,
      },
    },
  },
  serve: {
    about: 'predict and learn over HTTP, until it is interrupted',
    arguments: { models: 'model files to serve, each under the name of its file' },
    options: {
      dir: text('<folder>', 'folder of models that learn, which loses nothing (default: none, nothing learns)'),
      follow: text(
        '<url>',
        'keep the models in --dir equal to those of the service at this address, and answer; changes go there',
      ),
      host: text('<address>', 'address to listen on (default: 127.0.0.1, for this machine only)'),
      port: { ...port, about: 'port to listen on; 0 takes a free one (default: 4310)' },
      config: input(
        'JSON file of settings: keys, TLS, limits and others (docs/service-settings.md); a hangup reads keys anew',
      ),
      insecure: flag('serve an address that other machines reach without keys'),
      strict: flag('do not start if the files of a model in --dir cannot be read (default: serve the others)'),
      check: text('<folder>', 'read all files of the models that learn in this folder, tell what is damaged, and end'),
      repair: flag('with --check, bring damaged models back as of the last record that can be read'),
      json,
    },
  },
  worker: {
    about: 'do the next step of a training in shards, on the rows of one shard (docs/distributed.md)',
    arguments: {},
    options: {
      job: input('JSON file that says what is learned'),
      state: input('state of the training (default: its first step)'),
      shard: { ...whole(0, 'number of the shard, from 0'), default: 0 },
      model: input('predict the rows by this model instead; the result is Arrow, with class and scores'),
      requests: flag('answer the requests of an engine on standard input until it ends, each a step'),
    },
  },
  mix: {
    about: 'make the next state of a training in shards, of the results of all workers',
    arguments: { results: 'files with the results of workers, in any order' },
    options: {
      job: input('JSON file that says what is learned'),
      state: input('state that the workers had (default: none, after the first step)'),
      output: output('mix', 'write the next state to this file'),
      part: output('mix', 'write the sum of these results, a result itself, to this file'),
      model: output('model', 'write the model to this file, of a --state whose training is complete'),
    },
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof commands;

type ValueOf<Spec> = Spec extends { listed: true } ? OneValue<Spec> | readonly OneValue<Spec>[] : OneValue<Spec>;

type OneValue<Spec> = Spec extends { parse: (given: string, ...more: never[]) => infer Value }
  ? Exclude<Value, undefined>
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { argument: string }
      ? string
      : boolean;

/** The parsed values of options. Options without a default may be absent. */
type ValuesOf<Specs> = {
  readonly [Name in keyof Specs as Specs[Name] extends { default: unknown } ? Name : never]: ValueOf<Specs[Name]>;
} & {
  readonly [Name in keyof Specs as Specs[Name] extends { default: unknown } ? never : Name]?:
    | ValueOf<Specs[Name]>
    | undefined;
};

/** The options of one command as it receives them, with the parser threads that were started before it. */
export type CommandOptions<Name extends CommandName> = ValuesOf<(typeof commands)[Name]['options']> & {
  readonly parsers?: ParserPool | undefined;
};

/** The options that decide how DATA are read and encoded. */
export type ReadingOptions = Partial<ValuesOf<typeof reading & typeof encoding>>;

/** Returns the flag of an option: `--l1-ratio` for `l1Ratio`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
