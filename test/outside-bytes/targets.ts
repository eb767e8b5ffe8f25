import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Dictionary, Field, Float64, Int8, List, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import {
  decodeModel,
  decodeTrainState,
  encodeModel,
  encodeTrainState,
  HalfspaceError,
  type Model,
  OnlineClassifier,
  Predictor,
  type RawRow,
  type RuleName,
  rows as rowsOf,
  train,
} from 'halfspace';
import { fromJson, fromLiblinear, fromOnnx } from 'halfspace/export';
import { LedgerWriter, readLedger, replay } from 'halfspace/ledger';
import { openBytes, openLines } from 'halfspace/node';
import {
  completeRuleOptions,
  createKernels,
  createLearner,
  decodeLearner,
  encodeLearner,
  hasPasses,
  rules,
} from 'halfspace/rules';
import { trainOnce } from 'halfspace/runs';
import { parseFeatureOptions } from 'halfspace/tables';
import { canonicalRows, certify, check, digestOfCertificate, examplesOf } from 'halfspace-certify';
import { decodeMixState, type Job, type MixState, mix, modelOf, parseJob, work } from 'halfspace-distributed';
import { checkModels, openModels } from 'halfspace-server';
import { expect } from 'vitest';
import { decodeStream, encodeStream } from '../../packages/cli/src/data/stream-state.ts';
import type { Format } from '../../packages/cli/src/files/formats.ts';
import { query } from '../../packages/cli/src/tables/duckdb.ts';
import { openTable } from '../../packages/cli/test/support/open-table.ts';
import { bytesSource, streamSource } from '../../packages/halfspace/src/data/in-memory.ts';
import { featureNames } from '../../packages/halfspace/src/features/names.ts';
import { digestOf } from '../../packages/halfspace/src/model/digest.ts';
import { seal } from '../../packages/halfspace/src/shards/sealed.ts';
import foreign from '../../packages/halfspace/test/export/foreign-classifiers.json' with { type: 'json' };
import { onnxFile } from '../../packages/halfspace/test/export/onnx-file.ts';
import { crc32c } from '../../packages/server/src/journal/crc32c.ts';
import { type Bytes, bytesOf, type Json, textOf } from './mutate.ts';

/** A reader of bytes from outside. */
export interface Target {
  readonly name: string;
  /** Valid inputs. */
  seeds(): readonly Bytes[] | Promise<readonly Bytes[]>;
  /** Inputs that once failed. */
  readonly once?: readonly Bytes[];
  /** Changes the content of a valid input and makes its digest again; null if that is not possible. */
  sealed?(from: Bytes, change: (bytes: Bytes) => Bytes, choice: number): Bytes | null;
  /** Reads an input. It may return or throw a HalfspaceError. */
  read(bytes: Bytes, choice: number): unknown;
  readonly runs?: number;
}

const folder = mkdtempSync(join(tmpdir(), 'halfspace-outside-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const kernels = createKernels();
const texts = (...all: string[]) => all.map(bytesOf);
const jsons = (...all: unknown[]) => all.map((value) => bytesOf(JSON.stringify(value)));
async function* inPieces(bytes: Bytes, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Returns a value of JSON text; undefined: it is none. */
function parsed(bytes: Bytes): Json {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}

/** Writes the digest of a JSON file again, which is its last member. */
function withDigest(from: Bytes, change: (bytes: Bytes) => Bytes): Bytes | null {
  const value = parsed(change(from));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { digest: _, ...body } = value;
  return bytesOf(JSON.stringify({ ...body, digest: digestOf(body) }));
}

const rows = Array.from({ length: 24 }, (_, i) => ({
  size: ((i * 7) % 11) - 5,
  colour: ['red', 'green', 'blue'][i % 3]!,
  said: ['a free prize', 'see you at home', 'call me now'][(i * 5) % 3]!,
  day: new Date(Date.UTC(2024, i % 12, 1 + i)),
  y: (i * 7) % 11 > 5 ? 'p' : 'q',
}));
const svm = rows
  .map(({ size, y }, i) => `${y === 'p' ? 1 : -1} 1:${size} 3:${i % 5} ${i % 4 === 0 ? '5000:1' : ''}\n`)
  .join('');
const several = svm.replaceAll(/^1/gm, () => '2').replace(/^2/, '3');
const source = (text = svm, features?: never) =>
  openLines({
    name: 'x',
    format: 'libsvm',
    kernels,
    first: features,
    inOrder: true,
    open: () => [bytesSource(text, 'x')],
  }).source;
const dense = (list: readonly object[] = rows, options: object = {}) =>
  rowsOf(list, { label: 'y', ...options } as never).open({ kernels });

/** Writes a model and reads it again, and asks it some rows. */
function use(model: Model): void {
  const text = encodeModel(model);
  expect(encodeModel(decodeModel(text))).toBe(text);
  featureNames(model.features);
  if (model.features.kind !== 'hashed') ask(new Predictor(model), asked);
}
const asked: readonly RawRow[] = [
  rows[0]!,
  { size: Number.NaN, colour: 'none' },
  {},
  { indices: [1, 3, 5000], values: [1, -2, 0.5] },
  [0, 1, 2, 3, 4, 5],
  { red: 1, size: 2 },
];
function ask(predictor: Predictor, some: readonly RawRow[]): void {
  for (const row of some)
    try {
      expect(predictor.scores(row).some(Number.isNaN)).toBe(false);
      expect(predictor.labels).toContain(predictor.predict(row));
    } catch (error) {
      if (!['number-invalid', 'row-malformed'].includes((error as { code?: string }).code!)) throw error;
    }
}

/** Reads text whole and in pieces, with bad lines refused or skipped. The results must agree. */
function text(format: 'libsvm' | 'vw', seeds: Bytes[], ...once: string[]): Target {
  const outcome = async (bytes: Bytes, choice: number, pieces: number) => {
    const said: string[] = [];
    const bits = format === 'vw' && choice % 4 === 0 ? 1 + (choice % 20) : undefined;
    const { source: data } = openLines({
      ...{ name: 'x', format, kernels, bits, inOrder: true },
      open: () => [pieces === 0 ? bytesSource(bytes, 'x') : streamSource(inPieces(bytes, pieces), 'x')],
      onReject: choice % 3 === 0 ? ({ error }) => void said.push(error.message) : undefined,
      ...(pieces === 0 ? {} : { textBytes: 16 + (choice % 300) }),
    });
    try {
      said.push(encodeModel((await trainOnce(data, { kernels, passes: 2, order: 'cyclic' })).model));
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      said.push(error.message);
    }
    return said;
  };
  return {
    name: format,
    seeds: () => seeds,
    once: texts(...once),
    async read(bytes, choice) {
      expect(await outcome(bytes, choice, 1 + (choice % 97))).toEqual(await outcome(bytes, choice, 0));
    },
  };
}

/** Reads a table as the command does. */
function table(format: Format, seeds: () => readonly Bytes[] | Promise<readonly Bytes[]>, ...once: string[]): Target {
  return {
    name: format,
    seeds,
    once: texts(...once),
    async read(bytes, choice) {
      const path = join(folder, `x.${format}`);
      writeFileSync(path, bytes);
      const data = await openTable([{ path, name: `x.${format}` }], {
        format,
        scale: choice % 2 === 0 ? 'standard' : 'none',
        reject: choice % 3 === 0 ? () => {} : undefined,
        header: [undefined, true, false][choice % 5],
      });
      use((await trainOnce(data, { kernels, passes: 2 })).model);
    },
  };
}

/** Reads an archive from a file and from a pipe in pieces. Both give the same bytes, or the same refusal. */
function archive(name: string, ...seeds: Bytes[]): Target {
  const path = join(folder, `x.${name}`);
  return {
    name,
    seeds: () => seeds,
    once: [Buffer.from('H4s=', 'base64')],
    async read(bytes, choice) {
      writeFileSync(path, bytes);
      const outcomes: string[] = [];
      for (const pieces of [0, 1 + (choice % 50)]) {
        const read: Buffer[] = [];
        try {
          const stdin = { stdin: inPieces(bytes, pieces) };
          const opened = await openBytes(pieces === 0 ? path : '-', { name: 'x', ...(pieces === 0 ? {} : stdin) });
          const target = new Uint8Array(1 << 16);
          for (let count = await opened.read(target); count > 0; count = await opened.read(target))
            read.push(Buffer.from(target.subarray(0, count)));
          opened.close?.();
          outcomes.push(Buffer.concat(read).toString('latin1'));
        } catch (error) {
          if (!(error instanceof HalfspaceError)) throw error;
          // The byte in the message is the start of the piece that could not be decompressed.
          outcomes.push(error.message.replace(/, byte \d+/, ''));
        }
      }
      // A ZIP archive is read from its end, so not from a pipe.
      if (name !== 'zip') expect(outcomes[1]).toBe(outcomes[0]);
    },
  };
}
const libsvm = bytesOf(svm);
/** A ZIP archive of a file x.svm. */
const zipped =
  'UEsDBBQAAAAIAAAAIQDJDHWREAAAABoAAAAFAAAAeC5zdm0zVDC0MuTSNVQwAlKGyBwAUEsBAhQDFAAAAAgAAAAhAMkMdZEQAAAAGgAAAAUAAAAA' +
  'AAAAAAAAAIABAAAAAHguc3ZtUEsFBgAAAAABAAEAMwAAADMAAAAAAA==';

const learners = (Object.keys(rules) as RuleName[]).filter(hasPasses);
const batch = {
  ...{ rows: 2, dimension: 3, kind: 'dense', importance: null },
  ...{ values: Float64Array.of(1, 2, 3, -1, 0, 2), labels: Float64Array.of(1, -1) },
} as never;
const square = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const certified = [examplesOf(square, [-1, -1, -1, 1]), examplesOf(square, [-1, 1, 1, -1])];

/** Files that the library, the command and `certify` write and read. */
const files: readonly Target[] = [
  {
    name: 'model',
    async seeds() {
      const runs = [
        trainOnce(source(), { kernels: createKernels() }),
        ...(['averaged', 'tree'] as const).map(async (rule) => train(rowsOf(rows, { label: 'y' }), { rule })),
        ...(['voted', 'kernel'] as const).map((rule) => trainOnce(source(), { rule, passes: 2 })),
        trainOnce(source(several), { multiclass: 'kesler' }),
        train(rowsOf(rows, { label: 'y' }), { rule: 'arow', calibrate: 'isotonic' }),
      ];
      return (await Promise.all(runs)).map(({ model }) => bytesOf(encodeModel(model)));
    },
    once: texts('{"format": "halfspace-model", "version": 2, "__proto__": {"kind": "linear"}}', 'null'),
    sealed: withDigest,
    read: (bytes) => use(decodeModel(textOf(bytes), 'x.json')),
  },
  {
    name: 'learner',
    seeds: () =>
      learners.map((rule) => {
        const learner = createLearner(kernels, rule, completeRuleOptions(rule, {}));
        learner.learn(batch);
        return bytesOf(encodeLearner(learner.state()));
      }),
    sealed: withDigest,
    read(bytes) {
      const state = decodeLearner(textOf(bytes));
      const rule = learners.find((name) => name === state.rule);
      if (rule === undefined) return;
      const learner = createLearner(kernels, rule, completeRuleOptions(rule, {}), state);
      try {
        learner.learn(batch);
        encodeLearner(learner.state());
      } finally {
        learner.free();
      }
    },
  },
  {
    name: 'state of a run',
    async seeds() {
      const runs = learners.map((rule) => trainOnce(source(), { rule, passes: 2, keepState: true }));
      runs.push(trainOnce(source(several), { multiclass: 'kesler', scaling: 'max-norm', keepState: true }));
      return (await Promise.all(runs)).map(({ state }) => bytesOf(encodeTrainState(state!)));
    },
    sealed: withDigest,
    async read(bytes) {
      const state = decodeTrainState(textOf(bytes), 'x.state');
      expect(encodeTrainState(decodeTrainState(encodeTrainState(state)))).toBe(encodeTrainState(state));
      if (state.features.kind === 'indexed')
        use((await trainOnce(source(svm, state.features as never), { kernels, from: state, passes: 1 })).model);
    },
  },
  {
    name: 'state of a stream',
    seeds: () =>
      (['table', 'vw'] as const).map((form) => {
        const classifier = new OnlineClassifier({ label: 'y', calibrate: true, drift: 'adwin' });
        for (const { y, ...row } of rows)
          classifier.learn(form === 'table' ? (row as RawRow) : { indices: [0, 1], values: [row.size, 1] }, y);
        const isTable = form === 'table';
        return bytesOf(
          encodeStream({
            settings: {
              ...{ rule: 'averaged', options: completeRuleOptions('averaged', {}), positive: null },
              ...{ columns: { said: 'text' }, scale: 'standard', label: isTable ? 'y' : null, bits: null },
              ...{ calibrate: true, window: 1000, drift: 'adwin' },
            },
            form,
            layout: isTable ? { header: true, columns: ['size', 'colour', 'said', 'day', 'y'] } : null,
            features: isTable ? null : { kind: 'named', names: ['a', 'b'] },
            rows: rows.length,
            run: { rows: rows.length, done: isTable, last: { row: 24, digest: '0123456789abcdef' } },
            classifier: classifier.save(),
          }),
        );
      }),
    sealed: withDigest,
    read(bytes) {
      const state = decodeStream(textOf(bytes), 'x.state');
      expect(encodeStream(decodeStream(encodeStream(state)))).toBe(encodeStream(state));
      OnlineClassifier.load(state.classifier).model();
    },
  },
  {
    name: 'certificate',
    seeds: async () => jsons(...(await Promise.all(certified.map((examples) => certify(examples, {} as never))))),
    once: texts('null'),
    async read(bytes, choice) {
      let value = parsed(bytes);
      if (value === undefined) return;
      if (choice % 8 !== 0 && typeof value === 'object' && value !== null)
        value = { ...value, digest: await digestOfCertificate(value).catch(() => '') };
      for (const [k, examples] of certified.entries()) {
        const result = await check(value, canonicalRows(examples));
        if (result.holds) expect([['separable', 'not-separable'][k], 'unknown']).toContain(value.verdict);
      }
    },
  },
  {
    name: 'ledger',
    async seeds() {
      const runs = [
        [svm, { rule: 'averaged', passes: 2, order: 'shuffled' }],
        [several, { rule: 'passive-aggressive', passes: 2 }],
      ] as const;
      return Promise.all(
        runs.map(async ([data, options]) => {
          const pieces: Bytes[] = [];
          const ledger = new LedgerWriter({ append: (bytes) => void pieces.push(bytes) });
          await trainOnce(source(data), { ...options, ledger });
          return Buffer.concat(pieces);
        }),
      );
    },
    once: texts('halfspace-ledger 1\n'),
    /** Changes the contents of a block and compresses it again, so that its checksum is right. */
    sealed(from, change, choice) {
      const input = Buffer.from(from);
      const parts: Bytes[] = [input.subarray(0, 19)];
      for (let at = 19, block = 0; at + 5 <= input.length; block++) {
        const end = at + 5 + input.readUInt32LE(at + 1);
        const head = Buffer.from(input.subarray(at, at + 5));
        let packed: Bytes = input.subarray(at + 5, end);
        if (block === choice % 4 && packed.length > 0) packed = gzipSync(change(gunzipSync(packed)), { level: 1 });
        head.writeUInt32LE(packed.length, 1);
        parts.push(head, packed);
        at = end;
      }
      return Buffer.concat(parts);
    },
    async read(bytes, choice) {
      const ledger = await readLedger(bytesSource(bytes, 'x.ledger'), { partial: choice % 2 === 0 });
      if (ledger.closing !== null) await replay(ledger, source(choice % 3 === 0 ? several : svm), { kernels });
    },
  },
];

/** JSON that users write: choices of columns, options, rows. */
const given: readonly Target[] = [
  {
    name: 'features',
    seeds: () =>
      jsons(
        {
          columns: { size: { kind: 'number', bins: 4 }, said: { kind: 'text' }, colour: { kind: 'category' } },
          crosses: [['size', 'colour']],
        },
        { columns: { day: { kind: 'date' }, said: { kind: 'drop' } } },
        null,
      ),
    async read(bytes) {
      const value = parsed(bytes);
      if (value === undefined) return;
      const features = parseFeatureOptions(value, 'x.json');
      use((await trainOnce(await dense(rows, { features }), { kernels, passes: 1 })).model);
    },
  },
  {
    name: 'options',
    seeds: () =>
      jsons(
        ...Object.keys(rules).map((rule) => ({ rule, passes: 2, seed: 1 })),
        { as: 'foda', order: 'random', holdout: 0.25, margin: 0.1 },
        { rule: 'sgd', loss: 'logistic', penalty: 'l2', rate: 0.1, classWeights: { p: 2 }, patience: 2 },
        { rule: 'kernel', kernel: 'gaussian', width: 2, budget: 3, multiclass: 'one-vs-rest', scaling: 'unit-ball' },
      ),
    async read(bytes) {
      const value = parsed(bytes);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      // A run may take long if the input sets many passes.
      if (value.passes > 20 || value.patience > 20) return;
      const signal = AbortSignal.timeout(3000);
      use((await trainOnce(await dense(rows.slice(0, 12)), { kernels, ...value, signal })).model);
    },
  },
  {
    name: 'rows',
    seeds: () => jsons(...asked.concat([rows as never]).map((row) => [row])),
    once: [
      ...texts('[]', 'null', '{"indices":[0],"values":null}', '{"indices":"aN","values":[]}'),
      ...texts(
        '{"indices":["__proto__"],"values":[]}',
        '{"indices":[0,1],"values":[1]}',
        '{"indices":[-1],"values":[1]}',
      ),
      ...jsons([{ size: -5, day: '2024-01-', [`y${'-1'.repeat(900)}`]: 'q' }]),
    ],
    async read(bytes) {
      const value = parsed(bytes);
      if (value === undefined) return;
      predictors ??= Promise.all([
        trainOnce(source(), {}),
        ...(['averaged', 'tree'] as const).map(async (rule) => trainOnce(await dense(), { rule })),
        trainOnce(source(several), { rule: 'voted', passes: 2 }),
      ]).then((all) => all.map(({ model }) => new Predictor(model)));
      for (const predictor of await predictors) ask(predictor, [Array.isArray(value) ? value[0] : value]);
      if (Array.isArray(value)) await trainOnce(await dense(value), { kernels, passes: 1 });
    },
  },
];
let predictors: Promise<Predictor[]> | undefined;

/** Models of other programs. */
const imports: readonly Target[] = [
  {
    name: 'liblinear',
    seeds: () =>
      texts(
        'solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias 1\nw\n0.5 \n-2 \n1e-3 \n0.25 \n',
        'solver_type MCSVM_CS\nnr_class 3\nlabel 4 0 7\nnr_feature 2\nbias -1\nw\n1 2 3 \n-1 0 1 \n',
      ),
    read: (bytes) => use(fromLiblinear(textOf(bytes), 'x.model')),
  },
  {
    name: 'onnx',
    seeds: () => [
      onnxFile({ labels: ['no', 'yes'], coefficients: [-1, 2, 1, -2], intercepts: [0.5, -0.5] }),
      ...foreign.slice(0, 4).map(({ onnx }) => new Uint8Array(Buffer.from(onnx, 'base64'))),
    ],
    read: (bytes) => use(fromOnnx(bytes, 'x.onnx')),
  },
  {
    name: 'coefficients',
    seeds: () => {
      const age = { name: 'age', mean: 40, scale: 10, fill: 30, indicator: true };
      const columns = ['rooms', age, { name: 'town', levels: ['Lima', 'Oslo'], rare: true }];
      return jsons(
        { classes: ['dear', 'poor'], coef: [[2, -1, 0.5, 3, 0.25, 1]], intercept: [0.5], columns, label: 'price' },
        { classes: [0, 1, 2], coef: [[1], [2], [3]], intercept: [0.25, 0.25, 0.25] },
        { classes: [false, true], coef: [1, 0, -1], intercept: 0 },
      );
    },
    read: (bytes) => use(fromJson(textOf(bytes), 'x.json')),
  },
];

const arrowTypes = {
  ...{ size: new Float64(), said: new Utf8(), colour: new Dictionary(new Utf8(), new Int8()), y: new Utf8() },
  vector: new List(new Field('item', new Float64(), true)),
};
const arrow = tableToIPC(
  new Table(
    Object.fromEntries(
      Object.entries(arrowTypes).map(([name, type]) => [
        name,
        vectorFromArray(rows.map((row, k) => (name === 'vector' ? [k, -k] : (row as Json)[name])) as never, type),
      ]),
    ),
  ),
  'stream',
);
const usual = { format: 'halfspace-job', version: 1, label: 'y', shards: 1, passes: 2 };
const kinds = { size: { kind: 'number', bins: 2 }, colour: { kind: 'category' }, said: { kind: 'text' } };
const jobs = [
  {
    ...usual,
    columns: kinds,
    crosses: [['colour', 'size']],
    rule: { name: 'averaged' },
    holdout: 0.2,
    calibrate: 'platt',
  },
  { ...usual, vector: 'vector', rule: { name: 'sgd' }, positive: 'p', patience: 1, passes: 3 },
];

/** Trains on the rows in one shard, from a state on. Returns the states of all steps. */
async function finished(job: Job, from: MixState | null = null): Promise<string[]> {
  const states: string[] = [];
  let state = from;
  while (state?.next !== null && states.length < 20) {
    states.push(await mix(job, state, [{ name: '0', bytes: await work(job, state, 0, inPieces(arrow, 4096)) }]));
    state = decodeMixState(states.at(-1)!, 'state');
  }
  if (state?.next === null) use(await modelOf(job, state));
  return states;
}

const shards: readonly Target[] = [
  {
    name: 'arrow',
    seeds: () => [arrow],
    read: (bytes, choice) =>
      work(parseJob(JSON.stringify(jobs[choice % 2])), null, 0, inPieces(bytes, 1 + (choice % 997))),
  },
  {
    name: 'job of shards',
    seeds: () => jsons(...jobs),
    async read(bytes) {
      const job = parseJob(textOf(bytes));
      expect(parseJob(JSON.stringify(job))).toEqual(job);
      await finished({ ...job, passes: Math.min(job.passes, 3), shards: 1 });
    },
  },
  {
    name: 'state of shards',
    seeds: async () => texts(...(await Promise.all(jobs.map((job) => finished(parseJob(JSON.stringify(job)))))).flat()),
    sealed(from, change) {
      const value = parsed(change(from));
      if (typeof value !== 'object' || value === null) return null;
      const { format, version: _, digest: __, ...members } = value;
      return bytesOf(seal({ format: `${format}`, what: '', code: 'model-invalid' }, members));
    },
    async read(bytes, choice) {
      await finished(parseJob(JSON.stringify(jobs[choice % 2])), decodeMixState(textOf(bytes), 'x.state'));
    },
  },
];

/** The folder of a service as one text, and back. */
const dir = join(folder, 'service');
const folderText = () =>
  JSON.stringify(
    (readdirSync(dir, { recursive: true }) as string[])
      .filter((path) => path.startsWith('models/') && statSync(join(dir, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(dir, path), 'latin1')]),
  );
function writeFolder(entries: readonly (readonly [string, string])[]): void {
  rmSync(dir, { recursive: true, force: true });
  for (const [path, content] of entries) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content, 'latin1');
  }
}
const example = (k: number) => ({ row: { x: k % 7, colour: `c${k % 3}` }, label: k % 7 > 3 ? 'a' : 'b', id: `${k}` });

/** Whatever is in the folder of a service, it starts; what it serves learns, and is the same after a restart. */
const service: Target = {
  name: 'folder of a service',
  async seeds() {
    const seeds: string[] = [];
    writeFolder([]);
    const models = await openModels({ dir, segmentBytes: 1024 });
    await models.put('frozen', { kind: 'frozen', file: encodeModel((await trainOnce(source(), { kernels })).model) });
    for (const name of ['learning', 'other']) await models.put(name, { kind: 'learning', options: { window: 4 } });
    seeds.push(folderText());
    for (let k = 0; k < 16; k++) for (const name of ['learning', 'other']) await models.get(name)!.learn([example(k)]);
    await models.get('other')!.changeShadow({ kind: 'start', options: { rule: 'perceptron' } }, 's');
    for (let k = 16; k < 20; k++) await models.get('other')!.learn([example(k)]);
    seeds.push(folderText());
    await models.close();
    seeds.push(folderText());
    return texts(...seeds);
  },
  /** Changes one file, and the checksum that is the last line of some. */
  sealed(from, change, choice) {
    const entries: [string, string][] = parsed(from);
    const entry = entries[choice % entries.length]!;
    const [path, content] = entry;
    const isText = /current$|snapshot-\d+$/.test(path);
    const body = isText ? content.slice(0, content.lastIndexOf('\n', content.length - 2) + 1) : content;
    const after = Buffer.from(change(Buffer.from(body, 'latin1')));
    // The checksum of a snapshot covers the end of its last line; that of `current` does not.
    const crc = crc32c(path.endsWith('current') ? after.subarray(0, -1) : after);
    entry[1] = after.toString('latin1') + (isText ? `${crc.toString(16).padStart(8, '0')}\n` : '');
    return bytesOf(JSON.stringify(entries));
  },
  async read(bytes, choice) {
    const entries = parsed(bytes);
    const isEntry = ([path, content]: Json) =>
      /^models\/[\w/-]+$/.test(path) && !path.includes('//') && typeof content === 'string';
    if (
      !Array.isArray(entries) ||
      entries.length === 0 ||
      !entries.every((entry) => Array.isArray(entry) && isEntry(entry))
    )
      return;
    try {
      writeFolder(entries);
    } catch {
      // A file would be a folder too.
      return;
    }
    const before = folderText();
    const checked = await checkModels({ dir });
    expect(folderText()).toBe(before);
    const models = await openModels({ dir, segmentBytes: 1024 });
    const versions: Json = {};
    try {
      const whole = checked.filter(({ state }) => state === 'whole').map(({ name }) => name);
      expect(models.list().map(({ name }) => name)).toEqual(whole.sort());
      for (const model of models.list()) {
        if (model.kind === 'learning' && model.fault === null)
          for (const outcome of await model.learn([example(choice % 50)]))
            if ('refused' in outcome) expect(outcome.refused).toBeInstanceOf(HalfspaceError);
        versions[model.name] = model.version;
      }
    } finally {
      await models.close();
    }
    if (choice % 2 === 0) await checkModels({ dir, repair: true });
    const again = await openModels({ dir, segmentBytes: 1024 });
    for (const [name, version] of Object.entries(versions)) expect(again.get(name)?.version).toEqual(version);
    await again.close();
  },
};

export const targets: readonly Target[] = [
  text(
    'libsvm',
    [
      ...texts('1 1:1 2:0.5\n-1 2:1 3:-2e-1 # why\n\n1 1:0.25 7:3\n-1 3:1\n', '0 0:1 5:2.5\r\n1 7000:1\r\n0 5:1'),
      ...texts('2 1:1\n4 2:1\n3 3:1\n', '\ufeff1 1:0.1 70:1\n-1 64:2\n', '1 7:1 8:1e-300\n-1 1:1e200 qid:3\n'),
    ],
    '1 1:1 4294967295:1\n-1 2:1\n',
  ),
  text(
    'vw',
    [
      ...texts(
        "1 2.0 'tag|a x:1 y |b z\n-1 |a:0.5 x y:-3\n1 | plain words\n-1 1.5 |b z:2",
        '1 |f 1:2\n-1 |f 2:0.5\r\n',
      ),
      ...texts('2 |é 日本:1\n3 |é x\n1 |é y:0.25\n', `1 |a ${'word'.repeat(30)} b\n-1 | c:1e30\n`),
    ],
    `1 |a x\n${'n'.repeat(5000)} |a y\n-1 |a z\n`,
  ),
  table(
    'csv',
    () =>
      texts(
        'a,b,c,y\n1,x,2024-01-01,p\n2,"y, z",2024-02-01,q\n3,,?,p\n4.5,x,2024-03-01,q\n',
        '1,2,0\n3,4,1\r\n5,6,0\n-7,8e-1,1\n',
        'a;y\n"1;0";p\n"say ""hi""\n there";q\n',
        'text,y\nfree prize now for you,spam\nsee you at home later,ham\ncall now for the prize,spam\n',
        '@relation r\n@attribute a numeric\n@attribute y {p,q}\n@data\n1,p\n2,q\n?,p\n{0 3, 1 q}\n',
        'a  y\n-- --\n 1  p\n 2  q\n',
      ),
    '"""""""""""""""""\n\u00c1"',
  ),
  table('tsv', () => texts('a\ty\nx "q\tp\ny\tq\nz\tp\n', '1\t2\tp\n3\t4\tq\n')),
  table(
    'json',
    () =>
      texts(
        '[{"a": 1, "b": "x", "y": true}, {"a": null, "b": "z", "y": false}, {"a": 2.5, "y": true}]',
        '{"a":1,"y":"p"}{"a":2,"y":"q"}',
        '[{"a": [1, 2], "b": {"c": 3}, "y": 1}, {"a": [3], "b": {"c": 4}, "y": 0}]',
      ),
    '{}9',
  ),
  table(
    'ndjson',
    () => texts('{"a": 1, "y": "p"}\n{"a": 2, "y": "q"}\n', '{"a":"x","b":true,"y":1}\n\n{"a":"z","y":0}\n'),
    '{"Aundefined',
    '{}\n{}\n',
  ),
  table('parquet', async () => {
    const path = join(folder, 'seed.parquet');
    const columns = "i AS a, i % 3 AS b, 'w' || i % 4 AS c, i % 2 = 0 AS y";
    await query(`COPY (SELECT ${columns} FROM range(40) t(i)) TO '${path}' (FORMAT parquet)`);
    return [readFileSync(path)];
  }),
  archive(
    'gzip',
    gzipSync(libsvm),
    Buffer.concat([gzipSync(libsvm), gzipSync('1 1:1\n')]),
    gzipSync(Buffer.alloc(1e5)),
  ),
  // "1 1:1\n-1 2:1\n" with a checksum. Node 20 cannot make one.
  archive('zstd', Buffer.from('KLUv/QRYaQAAMSAxOjEKLTEgMjoxCthSH9Q=', 'base64')),
  archive('zip', Buffer.from(zipped, 'base64')),
  ...files,
  ...given,
  ...imports,
  ...shards,
  service,
];
