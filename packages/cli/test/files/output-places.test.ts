import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { claimFiles as claim } from '../../src/files/claim.ts';
import { predictionsOf, refuseToReplace } from '../../src/files/output-kinds.ts';
import { type CommandName, type CommandSpec, commands as declared, type OptionSpec } from '../../src/options.ts';
import { cellOf } from '../../src/words.ts';
import { command, halfspace, temporaryFolder } from '../run.ts';
import { contentsOf, makeFiles } from '../support/written-files.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** For every command a call that works, by the names of its arguments and options. */
const calls: Readonly<Record<CommandName, Readonly<Record<string, string | readonly string[]>>>> = {
  train: {
    data: ['data.csv'],
    validate: 'older.csv',
    features: 'features.json',
    continue: 'run.state',
    onError: 'skip',
    rule: 'tree',
  },
  learn: { state: 'run.stream', data: ['data.csv'], onError: 'skip' },
  predict: { model: 'run.model', data: ['data.svm'], onError: 'skip' },
  evaluate: { model: 'run.model', data: ['data.svm'], onError: 'skip' },
  compare: { data: ['data.csv'], features: 'features.json', onError: 'skip' },
  certify: { data: ['data.csv'], features: 'features.json', predict: 'older.csv', onError: 'skip' },
  check: { certificate: 'run.certificate', data: ['data.svm'], onError: 'skip' },
  inspect: { model: 'run.tree', data: ['data.csv'], features: 'features.json', onError: 'skip' },
  export: { model: 'run.model', to: 'javascript', check: 'data.svm' },
  import: { file: 'run.coef' },
  ledger: { ledger: 'run.ledger', data: ['data.svm'], onError: 'skip' },
  picture: { data: ['data.csv'] },
  lab: { data: ['data.csv'] },
  serve: { models: ['run.model'], config: 'features.json' },
  worker: { job: 'features.json', state: 'run.state' },
  mix: { results: ['data.svm'], job: 'features.json', state: 'run.state' },
};
const commands = Object.keys(declared) as CommandName[];

/** The names of the arguments and options of a command that name files which it reads, and which it writes. */
function usesOf(name: CommandName): { readonly reads: readonly string[]; readonly writes: readonly string[] } {
  const options: readonly (readonly [string, OptionSpec])[] = Object.entries(declared[name].options);
  const those = (isOne: (spec: OptionSpec) => boolean) => options.filter(([, spec]) => isOne(spec)).map(([key]) => key);
  const { arguments: positional, updates = {} }: CommandSpec = declared[name];
  return {
    reads: [
      ...Object.keys(positional).filter((argument) => !(argument in updates)),
      ...those(({ reads }) => reads === true),
    ],
    writes: those(({ writes }) => writes !== undefined),
  };
}
const argumentNames: readonly string[] = ['data', 'model', 'models', 'results', 'certificate', 'ledger', 'file'];

/** Every option that writes, and every input that it could write over, but for those that it is meant to replace. */
const pairs = commands.flatMap((name) =>
  usesOf(name).writes.flatMap((option) => {
    const { replaces } = (declared[name].options as Readonly<Record<string, OptionSpec>>)[option]!;
    return usesOf(name)
      .reads.filter((input) => input !== replaces)
      .map((input): [CommandName, string, string] => [name, option, input]);
  }),
);

beforeAll(() => {
  makeFiles(folder);
  // ledger --model needs a repeated run; --drawing needs the rule tree.
  mkdirSync(at('sub'));
});

/** Arguments and options in one. */
const claimFiles = (name: CommandName, all: Record<string, unknown>) => claim(name, all, all);

/** Returns the call with absolute paths, as the command parses it. */
function given(name: CommandName): Record<string, string | readonly string[]> {
  const { reads } = usesOf(name);
  return Object.fromEntries(
    Object.entries(calls[name]).map(([key, value]) => [
      key,
      !reads.includes(key) && key !== 'state' ? value : typeof value === 'string' ? at(value) : value.map(at),
    ]),
  );
}

function inputOf(name: CommandName, input: string): string {
  const value = calls[name][input]!;
  return typeof value === 'string' ? value : value[0]!;
}

describe('the list of options that write', () => {
  test.each(commands)('has every option of %s that names a file, and nothing else', (name) => {
    const { out } = halfspace(folder, [name, '--help']);
    const flags = [...out.matchAll(/^ +--([a-z-]+) <file>/gm)].map(([, flag]) => flag!);
    const { reads, writes } = usesOf(name);
    const given = argumentNames.filter((argument) =>
      new RegExp(`[<\\[]${argument}(\\.\\.\\.)?[>\\]]`).test(out.split('\n')[0]!),
    );
    expect([...flags, ...given].sort()).toEqual([...reads, ...writes].sort());
  });
});

describe('no output is an input', () => {
  test.each(pairs)('%s --%s is refused where it leads to %s, whatever leads there', async (name, option, input) => {
    const target = inputOf(name, input);
    const symlink = at(`sub/symlink-${target}`);
    const chain = at(`sub/chain-${target}`);
    const hard = at(`sub/hard-${target}`);
    for (const path of [symlink, chain, hard]) rmSync(path, { force: true });
    symlinkSync(join('..', target), symlink);
    symlinkSync(symlink, chain);
    linkSync(at(target), hard);
    for (const path of [at(target), `${folder}/./${target}`, `${folder}/sub/../${target}`, symlink, chain, hard]) {
      await expect(claimFiles(name, { ...given(name), [option]: path }), path).rejects.toMatchObject({
        code: 'option-invalid',
        message: expect.stringContaining(`expected --${option} to be no file that is read; got ${path}`),
      });
      // And the other way round: the input is a link to the output.
      const value = calls[name][input]!;
      const linked = { ...given(name), [input]: typeof value === 'string' ? path : [path], [option]: at(target) };
      await expect(claimFiles(name, linked), path).rejects.toMatchObject({ code: 'option-invalid' });
    }
  });

  test.each(pairs.filter(([, , input]) => input === 'data' || input === 'validate'))(
    '%s --%s is refused where a glob of %s finds it',
    async (name, option, input) => {
      const target = inputOf(name, input);
      const glob = `${folder}/${target.slice(0, 2)}*${target.slice(4)}`;
      const named = { ...given(name), [input]: input === 'data' ? [glob] : glob };
      await expect(claimFiles(name, { ...named, [option]: at(target) })).rejects.toMatchObject({
        code: 'option-invalid',
      });
    },
  );

  test('the state of learn is a file of its own', async () => {
    const { state: _, ...learn } = given('learn');
    for (const [path, message] of [
      [at('data.csv'), 'expected STATE to be no file that is read'],
      [at('data.model'), 'expected a separate file for --model; got '],
      [at('run.state'), 'expected a state of learn, or no file, where the state goes'],
      [folder, 'expected STATE to be a file'],
      ['-', 'expected STATE to be a file'],
    ])
      await expect(claimFiles('learn', { ...learn, state: path, model: at('data.model') }), path).rejects.toThrow(
        message,
      );
  });

  test('files of a query are inputs', async () => {
    for (const sql of [`SELECT * FROM '${at('data.csv')}'`, `SELECT * FROM read_csv("${folder}/dat*.csv")`])
      await expect(
        claimFiles('predict', { model: at('run.model'), data: [], sql, output: at('data.csv') }),
      ).rejects.toMatchObject({
        code: 'option-invalid',
        message: expect.stringContaining('which is read by --sql'),
      });
  });

  const refused = pairs.filter(([name, , input]) => input !== 'features' && !(name === 'ledger' && input === 'data'));
  test.each(some(refused, 5))('%s --%s %s ends with a line and loses nothing', (name, option, input) => {
    const before = contentsOf(folder);
    const { reads } = usesOf(name);
    const words = Object.entries(calls[name]).flatMap(([key, value]) => {
      if (key === 'state' || (argumentNames.includes(key) && reads.includes(key))) return value;
      return [`--${key === 'onError' ? 'on-error' : key}`, value as string];
    });
    const run = halfspace(folder, [name, ...words, `--${option}`, inputOf(name, input)]);
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toMatch(new RegExp(`^halfspace: expected --${option} to be no file that is read; got [^\\n]*\\n$`));
    expect(contentsOf(folder)).toEqual(before);
  });

  /** Runs with standard input and output redirected from and to files. */
  function led(args: readonly string[], input: string | null, output: string): { status: number | null; err: string } {
    const files = [input === null ? null : openSync(at(input), 'r'), openSync(at(output), 'a')];
    const { status, stderr } = spawnSync(process.execPath, [command, ...args], {
      cwd: folder,
      stdio: [files[0] ?? 'ignore', files[1]!, 'pipe'],
    });
    for (const file of files) if (file !== null) closeSync(file);
    return { status, err: stderr.toString() };
  }

  test('standard input and output count where they are led from and to files', () => {
    copyFileSync(at('data.svm'), at('led.svm'));
    const before = readFileSync(at('led.svm'));
    const piped = ['predict', 'run.model', '-', '--format', 'libsvm'];
    for (const run of [
      led([...piped, '--output', 'led.svm'], 'led.svm', 'none.txt'),
      led(piped, 'led.svm', 'led.svm'),
      led(['predict', 'run.model', 'led.svm'], null, 'led.svm'),
    ]) {
      expect(run.status).toBe(2);
      expect(run.err).toMatch(/to be no file that is read; got /);
      expect(readFileSync(at('led.svm'))).toEqual(before);
    }
    rmSync(at('none.txt'));
  });

  test('/dev/stdout is where standard output goes, behind what is there (skipped where there is none)', (context) => {
    if (!existsSync('/dev/stdout')) return context.skip();
    writeFileSync(at('log.txt'), 'before\n');
    const file = openSync(at('log.txt'), 'a');
    const args = ['predict', 'run.model', 'data.svm', '--output', '/dev/stdout'];
    expect(
      spawnSync(process.execPath, [command, ...args], { cwd: folder, stdio: ['ignore', file, 'inherit'] }).status,
    ).toBe(0);
    closeSync(file);
    appendFileSync(at('log.txt'), 'after\n');
    const { out } = halfspace(folder, args.slice(0, 3));
    expect(readFileSync(at('log.txt'), 'utf8')).toBe(`before\n${out}after\n`);
  });
});

describe('no two outputs are one file', () => {
  const couples = commands.flatMap((name) => {
    const options = usesOf(name).writes;
    return options.flatMap((one, k) =>
      options.slice(k + 1).map((other): [CommandName, string, string] => [name, one, other]),
    );
  });
  test.each(couples)('%s --%s and --%s', async (name, one, other) => {
    symlinkSync(at('nosuch'), at('dangling'));
    for (const [a, b] of [
      [at('new'), at('new')],
      [at('new'), `${folder}/sub/../new`],
      [at('nosuch'), at('dangling')],
      [at('new'), at('NEW')],
      [at('\u00e9'), at('e\u0301')],
    ])
      await expect(claimFiles(name, { ...given(name), [one]: a, [other]: b })).rejects.toMatchObject({
        code: 'option-invalid',
        message: expect.stringMatching(/^expected a separate file for --/),
      });
    rmSync(at('dangling'));
  });

  test('a name by default counts, and pipes do not', async () => {
    const { ledger: _, ...train } = given('train');
    await expect(claimFiles('train', { ...train, ledger: 'data.model.json' })).rejects.toMatchObject({
      code: 'option-invalid',
    });
    const pipes = { ...train, model: '/dev/null', ledger: '/dev/null' };
    expect(await claimFiles('train', pipes)).toEqual({ ...pipes, rejects: 'data.rejects' });
  });
});

describe('a file is replaced by one of its kind only', () => {
  const old = {
    model: 'old.model',
    certificate: 'old.certificate',
    ledger: 'old.ledger',
    state: 'old.state',
    stream: 'old.stream',
    report: 'old.report',
    drawing: 'old.drawing',
    picture: 'old.svg',
    rejects: 'old.rejects',
    predictions: 'old.predictions',
    program: 'old.program',
  };
  const others = {
    'a table': 'a,b\n1,2\n',
    'libsvm text': '0 1:1\n1 2:1\n',
    'a list of words': 'label\n0\n1\n',
    'classes of another model': 'spam\nham\n',
    notes: '# what I found\n',
    'another picture': '<svg xmlns="http://www.w3.org/2000/svg"><title>A cat</title></svg>\n',
    'other JSON that tells of a model': '{"a": "\\"format\\": \\"halfspace-model\\""}\n',
    'a page that tells of a report': '<!doctype html><p>halfspace report</p>\n',
    'an archive': gzipSync('0\n1\n'),
    'bytes of Parquet': Buffer.from('PAR1\0\0\0\0PAR1'),
  };
  test.each(Object.keys(old) as (keyof typeof old)[])('%s', (kind) => {
    const wanted = kind === 'predictions' ? predictionsOf(['0', '1']) : kind;
    for (const [each, name] of Object.entries(old))
      if (each === kind) expect(() => refuseToReplace(at(name), wanted), each).not.toThrow();
      else expect(() => refuseToReplace(at(name), wanted), each).toThrow('got a file of another kind');
    for (const [what, contents] of Object.entries(others)) {
      writeFileSync(at('other'), contents);
      expect(() => refuseToReplace(at('other'), wanted), what).toThrow('got a file of another kind');
    }
    writeFileSync(at('other'), '');
    for (const name of ['other', 'nosuch']) expect(() => refuseToReplace(at(name), wanted), name).not.toThrow();
    if (existsSync('/dev/null')) expect(() => refuseToReplace('/dev/null', wanted)).not.toThrow();
  });

  test('predictions of classes that are escaped may replace predictions of the same', () => {
    const classes = ['two\nlines', 'tab\tand \\', '\u001b[31m'];
    writeFileSync(at('escaped'), `${classes.map(cellOf).join('\t0.5\n')}\n`);
    expect(() => refuseToReplace(at('escaped'), predictionsOf(classes))).not.toThrow();
  });

  test('predictions are known by their classes, with scores and without', () => {
    const kind = predictionsOf(['no', 'yes']);
    for (const text of [
      'yes\nno\n\n',
      'yes\t1.5\nno\t-2e-7\n',
      'no\tNaN\t-Infinity\n\t0.5\t0.5\n',
      `${'yes\n'.repeat(30_000)}`,
    ]) {
      writeFileSync(at('other'), text);
      expect(() => refuseToReplace(at('other'), kind), text).not.toThrow();
    }
    for (const text of ['yes\nmaybe\n', 'yes\tword\n', 'yes,1\n', 'yes\t\n']) {
      writeFileSync(at('other'), text);
      expect(() => refuseToReplace(at('other'), kind), text).toThrow('expected predictions of no, yes, or no file');
    }
  });
});
