import { gunzipSync, gzipSync } from 'node:zlib';
import {
  decodeModel,
  decodeTrainState,
  encodeModel,
  encodeTrainState,
  type Model,
  OnlineClassifier,
  Predictor,
  type RawRow,
  type RowsOptions,
  type RuleName,
  rows as rowsOf,
} from 'halfspace';
import { bytesSource, libsvmFormat, TextSource, trainOnce, trainWith } from 'halfspace/internal';
import { featureNames, parseFeatureOptions } from 'halfspace/internal/tables';
import { LedgerWriter, readLedger, replay } from 'halfspace/ledger';
import {
  completeRuleOptions,
  createKernels,
  createLearner,
  decodeLearner,
  encodeLearner,
  hasPasses,
  rules,
} from 'halfspace/rules';
import { drawTree } from 'halfspace/tree';
import { canonicalRows, certify, check, digestOfCertificate, examplesOf } from 'halfspace-certify';
import { decodeStream, encodeStream, type StreamState } from '../../../packages/cli/src/data/stream-state.ts';
import { digestOf } from '../../../packages/halfspace/src/model/digest.ts';
import { mutate } from '../mutate.ts';
import { mutateJson } from '../mutate-json.ts';
import { bytesOf, demand, type Json, same, type Target, textOf } from '../target.ts';

const kernels = createKernels();

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
const source = (text = svm) =>
  new TextSource({ name: 'x', open: () => [bytesSource(text, 'x')], format: libsvmFormat(kernels), kernels });
const several = svm.replaceAll(/^1/gm, () => '2').replace(/^2/, '3');
const rowsSource = (list: readonly object[], options: RowsOptions = {}) =>
  rowsOf(list, { label: 'y', ...options } as RowsOptions<object>).open({ kernels });
const dense = (n = rows.length) => rowsSource(rows.slice(0, n));

/** Replaces the last member of a JSON file, which is the digest of the other members. */
const signed = (value: Json) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { digest: _, ...body } = value;
  return { ...body, digest: digestOf(body) };
};

const asked: readonly RawRow[] = [
  rows[0]!,
  { size: Number.NaN, colour: 'none' },
  {},
  { indices: [1, 3, 5000], values: [1, -2, 0.5] },
  [0, 1, 2, 3, 4, 5],
  { red: 1, size: 2 },
];

/** Asks a model some rows: it answers with finite scores and its own classes, or refuses the row. */
export function ask(model: Model): void {
  const predictor = new Predictor(model);
  for (const row of asked)
    try {
      const scores = predictor.scores(row);
      demand(scores.every(Number.isFinite), `scores are finite: got ${scores.join()}`);
      demand(predictor.labels.includes(predictor.predict(row)), 'a class of the model is named');
      if (model.calibration === null) continue;
      const chances = predictor.probabilities(row);
      demand(
        chances.every((p) => p >= 0 && p <= 1) && Math.abs(chances.reduce((a, b) => a + b) - 1) < 1e-9,
        `probabilities add up to 1: got ${chances.join()}`,
      );
    } catch (error) {
      if (
        (error as { code?: string }).code !== 'number-invalid' &&
        (error as { code?: string }).code !== 'row-malformed'
      )
        throw error;
    }
}

const modelTarget: Target = {
  name: 'model',
  words: ['"version": 2', '"kind": "tree"', '"weights": [', '{"length": 4, "float64": ""}', 'null', ',', '"digest"'],
  async seeds() {
    const models = [
      await trainOnce(source(), { kernels }),
      await trainOnce(source(several), { kernels }),
      await trainOnce(source(several), { kernels, multiclass: 'kesler' }),
      await trainOnce(await dense(), { kernels }),
      await trainOnce(await dense(), { kernels, rule: 'tree' }),
      await trainOnce(source(), { kernels, rule: 'voted', passes: 2 }),
      await trainOnce(source(), { kernels, rule: 'kernel', passes: 2 }),
      await trainWith(kernels, await dense(), { rule: 'averaged', calibrate: 'platt' }),
      await trainWith(kernels, await dense(), { rule: 'arow', calibrate: 'isotonic' }),
    ];
    return models.map(({ model }) => bytesOf(encodeModel(model)));
  },
  mutate: (bytes, random) => mutateJson(bytes, random, random.below(10) === 0 ? undefined : signed),
  run(bytes) {
    const model = decodeModel(textOf(bytes), 'x.json');
    const text = encodeModel(model);
    same('a model is read as it was written', encodeModel(decodeModel(text)), text);
    featureNames(model.features);
    if (model.kind === 'tree') drawTree(model.tree, { features: model.features } as never);
    if (model.features.kind !== 'hashed') ask(model);
  },
};

const learners = (Object.keys(rules) as RuleName[]).filter(hasPasses);
const batchOf = () =>
  ({
    rows: 2,
    dimension: 3,
    kind: 'dense',
    values: Float64Array.of(1, 2, 3, -1, 0, 2),
    labels: Float64Array.of(1, -1),
    importance: null,
  }) as never;

const learnerTarget: Target = {
  name: 'learner',
  words: ['"rule"', '"float64"', '"uint32"', '{"number":"NaN"}', '{"number":"Infinity"}', '"members"', 'null', '""'],
  seeds: () =>
    learners.map((rule) => {
      const learner = createLearner(kernels, rule, completeRuleOptions(rule, {}));
      learner.learn(batchOf());
      const text = encodeLearner(learner.state());
      learner.free();
      return bytesOf(text);
    }),
  mutate: (bytes, random) => mutateJson(bytes, random, random.below(10) === 0 ? undefined : signed),
  run(bytes) {
    const state = decodeLearner(textOf(bytes));
    const rule = learners.find((name) => name === state.rule);
    if (rule === undefined) return;
    const learner = createLearner(kernels, rule, completeRuleOptions(rule, {}), state);
    try {
      learner.learn(batchOf());
      learner.functions();
      encodeLearner(learner.state());
    } finally {
      learner.free();
    }
  },
};

const stateTarget: Target = {
  name: 'state',
  words: ['"rule"', '"multiclass":"kesler"', '"passes":1', '"divisor":2', '"random":[1,2,3,4]', 'null', '"members"'],
  async seeds() {
    const runs = [
      ...learners.map((rule) => trainOnce(source(), { kernels, rule, passes: 2, keepState: true })),
      trainOnce(source(several), { kernels, keepState: true }),
      trainOnce(source(several), { kernels, multiclass: 'kesler', scaling: 'max-norm', keepState: true }),
      trainOnce(await dense(), { kernels, keepState: true }),
    ];
    return (await Promise.all(runs)).map(({ state }) => bytesOf(encodeTrainState(state!)));
  },
  mutate: (bytes, random) => mutateJson(bytes, random, random.below(10) === 0 ? undefined : signed),
  async run(bytes) {
    const state = decodeTrainState(textOf(bytes), 'x.state');
    const text = encodeTrainState(state);
    same('a state is read as it was written', encodeTrainState(decodeTrainState(text)), text);
    if (state.features.kind !== 'indexed') return;
    const data = new TextSource({
      name: 'x',
      open: () => [bytesSource(svm, 'x')],
      format: libsvmFormat(kernels, undefined, state.features),
      kernels,
    });
    const { model } = await trainOnce(data, { kernels, from: state, passes: 1 });
    decodeModel(encodeModel(model));
  },
};

const streams = (['table', 'libsvm', 'vw'] as const).map((form): StreamState => {
  const classifier = new OnlineClassifier({ label: 'y', calibrate: true, drift: 'adwin' });
  for (const { y, ...row } of rows)
    classifier.learn(form === 'table' ? (row as RawRow) : { indices: [0, 1], values: [row.size, 1] }, y);
  return {
    settings: {
      rule: 'averaged',
      options: completeRuleOptions('averaged', {}),
      positive: null,
      columns: { said: 'text' },
      scale: 'standard',
      label: form === 'table' ? 'y' : null,
      bits: null,
      calibrate: true,
      window: 1000,
      drift: 'adwin',
    },
    form,
    layout: form === 'table' ? { header: true, columns: ['size', 'colour', 'said', 'day', 'y'] } : null,
    features:
      form === 'table'
        ? null
        : form === 'vw'
          ? { kind: 'named', names: ['a', 'b'] }
          : { kind: 'indexed', dimension: 2, firstIndex: 1 },
    rows: rows.length,
    run: { rows: rows.length, done: form !== 'vw', last: { row: 24, digest: '0123456789abcdef' } },
    classifier: classifier.save(),
  };
});

const streamTarget: Target = {
  name: 'stream',
  words: ['"form":"vw"', '"done":false', '"last":null', '"layout":null', '"rows":7', 'null', '"classifier":""'],
  seeds: () => streams.map((state) => bytesOf(encodeStream(state))),
  mutate: (bytes, random) => mutateJson(bytes, random, random.below(10) === 0 ? undefined : signed),
  run(bytes) {
    const state = decodeStream(textOf(bytes), 'x.state');
    const text = encodeStream(state);
    same('a state is read as it was written', encodeStream(decodeStream(text)), text);
    OnlineClassifier.load(state.classifier).model();
  },
};

const certified = [
  {
    rows: [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
    labels: [-1, -1, -1, 1],
  },
  {
    rows: [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ],
    labels: [-1, 1, 1, -1],
  },
].map(({ rows, labels }) => ({
  examples: examplesOf(rows, labels),
  verdict: labels[1] === 1 ? 'not-separable' : 'separable',
}));

const certificateTarget: Target = {
  name: 'certificate',
  words: [
    '"verdict":"separable"',
    '"verdict":"not-separable"',
    '"rows":[1,2,3,4]',
    '"weights":["1","1","1","1"]',
    '"1"',
    '"-1"',
    '1/2',
    'null',
  ],
  seeds: async () =>
    Promise.all(certified.map(async ({ examples }) => bytesOf(JSON.stringify(await certify(examples, {} as never))))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  async run(bytes, choice) {
    let value: Json;
    try {
      value = JSON.parse(textOf(bytes));
    } catch {
      return;
    }
    if (choice % 8 !== 0 && typeof value === 'object' && value !== null) {
      try {
        value = { ...value, digest: await digestOfCertificate(value) };
      } catch {
        return;
      }
    }
    for (const { examples, verdict } of certified) {
      const result = await check(value, canonicalRows(examples));
      demand(
        !result.holds || value.verdict === verdict || value.verdict === 'unknown',
        `a false certificate holds: ${JSON.stringify(result)}`,
      );
    }
  },
};

const ledgerTarget: Target = {
  name: 'ledger',
  words: ['H', 'U', 'R', 'E', 'halfspace-ledger 1\n', '\x1f\x8b\x08'],
  async seeds() {
    const ledgers: Uint8Array[] = [];
    for (const [text, options] of [
      [svm, { rule: 'perceptron', passes: 3 }],
      [svm, { rule: 'averaged', passes: 2, order: 'shuffled' }],
      [several, { rule: 'passive-aggressive', passes: 2 }],
    ] as const) {
      const pieces: Uint8Array[] = [];
      await trainOnce(source(text), {
        kernels,
        ...options,
        ledger: new LedgerWriter({ append: (bytes) => void pieces.push(bytes) }),
      });
      ledgers.push(Buffer.concat(pieces));
    }
    return ledgers;
  },
  /** Changes the contents of a block and compresses it again, so that its checksum is right. */
  mutate(bytes, random) {
    const input = Buffer.from(bytes);
    const parts: Buffer[] = [input.subarray(0, 19)];
    const wanted = random.below(4);
    for (let at = 19, block = 0; at + 5 <= input.length; block++) {
      const length = input.readUInt32LE(at + 1);
      const packed = input.subarray(at + 5, at + 5 + length);
      let contents: Uint8Array = packed;
      if (block === wanted && length > 0)
        try {
          const raw = gunzipSync(packed, { maxOutputLength: 1 << 20 });
          contents = gzipSync((raw[0] === 0x7b ? mutateJson(raw, random) : null) ?? mutate(raw, raw, [], random), {
            level: 1,
          });
        } catch {
          return null;
        }
      const head = Buffer.from(input.subarray(at, at + 5));
      head.writeUInt32LE(contents.length, 1);
      parts.push(head, Buffer.from(contents));
      at += 5 + length;
    }
    return new Uint8Array(Buffer.concat(parts));
  },
  async run(bytes, choice) {
    const ledger = await readLedger(bytesSource(bytes, 'x.ledger'), { partial: choice % 2 === 0 });
    if (ledger.closing !== null) await replay(ledger, source(choice % 3 === 0 ? several : svm), { kernels });
  },
};

const featureTarget: Target = {
  name: 'features',
  words: [
    '"columns"',
    '"crosses"',
    '"kind": "text"',
    '"kind": "number"',
    '"kind": "date"',
    '"bins": 4',
    '"most": 8',
    '[["size","colour"]]',
    'null',
  ],
  seeds: () =>
    [
      {
        columns: { size: { kind: 'number', bins: 4 }, said: { kind: 'text' }, colour: { kind: 'category' } },
        crosses: [['size', 'colour']],
      },
      { columns: { day: { kind: 'date' }, said: { kind: 'drop' } } },
      { columns: {}, crosses: [] },
    ].map((value) => bytesOf(JSON.stringify(value))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  async run(bytes) {
    let value: unknown;
    try {
      value = JSON.parse(textOf(bytes));
    } catch {
      return;
    }
    const features = parseFeatureOptions(value, 'x.json');
    const { model } = await trainOnce(await rowsSource(rows, { features }), { kernels, passes: 1 });
    const text = encodeModel(model);
    same('a model is read as it was written', encodeModel(decodeModel(text)), text);
  },
};

const optionTarget: Target = {
  name: 'options',
  words: [
    ...Object.keys(rules).map((rule) => `"rule":"${rule}"`),
    '"passes":2',
    '"order":"random"',
    '"margin":0.1',
    '"holdout":0.2',
    '"as":"foda"',
    'null',
  ],
  seeds: () =>
    [
      ...Object.keys(rules).map((rule) => ({ rule, passes: 2, seed: 1 })),
      { as: 'lecture-9', passes: 3 },
      { as: 'foda', order: 'random', holdout: 0.25 },
      { rule: 'sgd', loss: 'logistic', penalty: 'l2', rate: 0.1, classWeights: { p: 2 }, patience: 2 },
      { rule: 'kernel', kernel: 'gaussian', width: 2, budget: 3, multiclass: 'one-vs-rest', scaling: 'unit-ball' },
    ].map((value) => bytesOf(JSON.stringify(value))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  async run(bytes) {
    let value: Json;
    try {
      value = JSON.parse(textOf(bytes));
    } catch {
      return;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    // A run may take long if the input sets many passes.
    if (value.passes > 20 || value.patience > 20) return;
    const { model } = await trainOnce(await dense(12), { kernels, ...value, signal: AbortSignal.timeout(3000) });
    const text = encodeModel(model);
    same('a model is read as it was written', encodeModel(decodeModel(text)), text);
  },
};

const rowTarget: Target = {
  name: 'rows',
  words: ['null', 'true', '"size"', '{"indices":[0],"values":[1]}', '[1,2]', '-1', '1e308', '""'],
  seeds: () => asked.concat([rows as never]).map((row) => bytesOf(JSON.stringify([row]))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  async run(bytes) {
    let given: Json;
    try {
      given = JSON.parse(textOf(bytes));
    } catch {
      return;
    }
    models ??= Promise.all([
      trainOnce(source(), {}),
      trainOnce(await dense(), {}),
      trainOnce(await dense(), { rule: 'tree' }),
      trainOnce(source(), { rule: 'voted', passes: 2 }),
      trainOnce(source(several), {}),
    ]).then((all) => all.map(({ model }) => new Predictor(model)));
    const row = Array.isArray(given) ? given[0] : given;
    for (const predictor of await models) {
      let scores: Float64Array | null = null;
      try {
        scores = predictor.scores(row);
      } catch (error) {
        if (typeof (error as { code?: unknown }).code !== 'string') throw error;
      }
      if (scores !== null) demand(!scores.some(Number.isNaN), 'an answer is no NaN');
    }
    if (Array.isArray(given)) await trainOnce(await rowsSource(given), { kernels, passes: 1 });
  },
};
let models: Promise<Predictor[]> | undefined;

export const fileTargets: readonly Target[] = [
  modelTarget,
  learnerTarget,
  stateTarget,
  streamTarget,
  certificateTarget,
  ledgerTarget,
  featureTarget,
  optionTarget,
  rowTarget,
];
