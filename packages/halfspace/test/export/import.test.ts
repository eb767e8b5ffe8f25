import { csv, decodeModel, encodeModel, evaluate, HalfspaceError, type Model, Predictor, rows, train } from 'halfspace';
import { fromJson, fromLiblinear, fromOnnx, toLiblinear, toScikitLearn } from 'halfspace/export';
import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import written from './foreign-classifiers.json' with { type: 'json' };
import { checkImports, type ForeignClassifier } from './from-scikit-learn.ts';
import { goodRows } from './models.ts';
import { onnxFile } from './onnx-file.ts';

const binary = 'solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias 1\nw\n0.5 \n-2 \n1e-3 \n0.25 \n';
const several = 'solver_type MCSVM_CS\nnr_class 3\nlabel 4 0 7\nnr_feature 2\nbias -1\nw\n1 2 3 \n-1 0 1 \n';
const coefficients = {
  classes: ['dear', 'poor'],
  coef: [[2, -1, 0.5, 3, 0.25]],
  intercept: [0.5],
  columns: ['rooms', { name: 'age', mean: 40, scale: 10, indicator: true }, { name: 'town', levels: ['Lima', 'Oslo'] }],
};

describe('a model of LIBLINEAR', () => {
  test('gives its scores: above 0 for the first label, one per class of more', () => {
    const two = fromLiblinear(binary);
    expect(two.classes).toEqual(['-1', '1']);
    expect(new Predictor(two).score({ indices: [1, 3], values: [2, 1000] })).toBe(0.5 * 2 + 1e-3 * 1000 + 0.25);
    const three = fromLiblinear(several);
    expect(three.classes).toEqual(['4', '0', '7']);
    expect([...new Predictor(three).scores({ indices: [1, 2], values: [1, 2] })]).toEqual([-1, 2, 5]);
    const crammer = fromLiblinear(
      several.replace('nr_class 3', 'nr_class 2').replace('4 0 7', '1 2').replace('1 2 3 \n-1 0 1', '1 2 \n-1 1'),
    );
    expect(new Predictor(crammer).score({ indices: [1, 2], values: [1, 1] })).toBe(-3);
  });

  test('comes back as it was written', () => {
    for (const text of [binary, several]) {
      const model = fromLiblinear(text);
      expect(encodeModel(fromLiblinear(toLiblinear(model)))).toBe(encodeModel(model));
      expect(decodeModel(encodeModel(model))).toEqual(model);
    }
  });

  test.each([
    [binary.replace('L2R_LR', 'L2R_L2LOSS_SVR'), 'expected a model for classes; got the solver "L2R_L2LOSS_SVR"'],
    [binary.replace('0.25 \n', ''), 'expected 4 weights; got 3: the file is cut or mixed'],
    [
      binary.replace('nr_feature 3', 'nr_feature 99999999999'),
      'expected nr_feature, a whole number; got "99999999999"',
    ],
    [binary.replace('1e-3', 'nan'), 'expected weights that are finite numbers; got "nan"'],
    [binary.replace('label 1 -1', 'label 1'), 'expected two labels or more, one per class; got 1 for 2 classes'],
    ['PK', "expected LIBLINEAR's model file, which begins with solver_type; got another file"],
  ])('%# is refused if it is damaged', (text, message) => {
    expect(() => fromLiblinear(text, 'a.model')).toThrow(`a.model: ${message}`);
  });
});

describe('coefficients as JSON', () => {
  test('give a model of a table, or of numbered features without columns', () => {
    const model = fromJson(JSON.stringify(coefficients));
    const predictor = new Predictor(model);
    expect(predictor.score({ rooms: 3, age: 50, town: 'Oslo' })).toBe(2 * 3 - 1 + 0.25 + 0.5);
    expect(predictor.score({ rooms: 3, town: 'Rome' })).toBe(2 * 3 + 0.5 + 0.5);
    const { columns, ...numbered } = coefficients;
    expect(columns.length).toBe(3);
    expect(new Predictor(fromJson(JSON.stringify(numbered))).score([1, 1, 0, 0, 0])).toBe(1.5);
  });

  test('come back as they were written', async () => {
    const drop = { kind: 'drop' } as const;
    const columns = {
      price: drop,
      seen: drop,
      epoch: drop,
      clock: drop,
      note: drop,
      tags: drop,
      day: drop,
      colour: { rare: 3 },
    } as const;
    for (const classes of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      const source = rows(goodRows(200, 4, classes), { label: 'class', features: { columns } } as never);
      const { model } = await train(source, { rule: 'averaged', passes: 2 });
      const again = fromJson(toScikitLearn(model));
      const [one, other] = [new Predictor(model), new Predictor(again)];
      for (const row of goodRows(100, 5, classes)) {
        // Elsewhere true is 1.
        const numbers = { ...row, ripe: row.ripe === null ? null : Number(row.ripe) };
        expect([...other.scores(numbers)]).toEqual([...one.scores(row)]);
      }
    }
  });

  test.each([
    [{ ...coefficients, coef: [[1]] }, 'expected "coef[0]" to be 5 numbers; got 1'],
    [{ ...coefficients, classes: ['b', 'b'] }, 'classes'],
    [{ ...coefficients, coef: [[2, -1, 0.5, 3, null]] }, 'expected "coef[0]" to be a finite number; got null'],
    [{ ...coefficients, extra: 1 }, 'got "extra"'],
  ])('%# are refused if they do not fit', (value, message) => {
    expect(() => fromJson(JSON.stringify(value), 'c.json')).toThrow(message);
    expect(() => fromJson(JSON.stringify(value), 'c.json')).toThrow('c.json: ');
  });
});

describe('a linear classifier of ONNX', () => {
  const scaled = { offset: [1, 2], scale: [0.5, 4] };
  const two = { labels: [-3, 7], coefficients: [-1, 2, 1, -2], intercepts: [-0.25, 0.25] };
  const three = { labels: ['c', 'a', 'b'], coefficients: [1, 2, 3, 4, 5, 6], intercepts: [0.5, 0, -1] };

  test('gives its scores: of two classes that of the second one, of more one per class', () => {
    const binary = new Predictor(fromOnnx(onnxFile(two)));
    expect(binary.model.classes).toEqual(['-3', '7']);
    expect(binary.score([3, 0.5])).toBe(3 - 1 + 0.25);
    const apart = { ...two, coefficients: [1, 1, 3, 4], intercepts: [1, 3] };
    expect(new Predictor(fromOnnx(onnxFile(apart))).score([3, 0.5])).toBe(6 + 1.5 + 2);
    const single = { ...two, coefficients: [3, 4], intercepts: [3] };
    expect(new Predictor(fromOnnx(onnxFile(single))).score([3, 0.5])).toBe(9 + 2 + 3);
    expect([...new Predictor(fromOnnx(onnxFile(three))).scores([10, 1])]).toEqual([12.5, 34, 55]);
  });

  test('has the scaling before it in its weights', () => {
    const predictor = new Predictor(fromOnnx(onnxFile({ ...three, scaled })));
    const [x, y] = [(10 - 1) * 0.5, (1 - 2) * 4];
    expect([...predictor.scores([10, 1])]).toEqual([x + 2 * y + 0.5, 3 * x + 4 * y, 5 * x + 6 * y - 1]);
    expect(predictor.model.classes).toEqual(three.labels);
    const same = onnxFile({ ...two, scaled: { offset: [1], scale: [2] } });
    expect(new Predictor(fromOnnx(same)).score([3, 0.5])).toBe(4 + 2 + 0.25);
  });

  test.each([
    [onnxFile({ ...two, coefficients: [1, 2, 3] }), 'expected as many coefficients for each of 2 scores; got 3'],
    [onnxFile({ ...two, intercepts: [1, 2, 3] }), 'expected one of intercepts per class, 2; got 3'],
    [onnxFile({ ...two, labels: [4, 4] }), 'expected two classes or more, all different; got 2: "4, 4"'],
    [onnxFile({ ...two, labels: [] }), 'expected two classes or more, all different; got 0: ""'],
    [onnxFile({ ...two, intercepts: [0, Number.NaN] }), 'expected intercepts that are finite numbers; got NaN'],
    [
      onnxFile({ ...two, scaled: { offset: [1, 2, 3], scale: [1] } }),
      'expected offset of a Scaler for 2 features; got 3',
    ],
    [
      onnxFile({ ...two, before: 'Normalizer' }),
      'expected the features or a Scaler before the classifier; got the operator "Normalizer"',
    ],
    [
      onnxFile({ ...two, behind: 'Neg' }),
      'expected a classifier and what hands on its answers; got the operator "Neg"',
    ],
    [onnxFile({ ...two, input: 'y' }), 'expected an input of the graph before the classifier; got "x"'],
    [
      onnxFile({ ...two, operator: 'SVMClassifier' }),
      'expected one LinearClassifier, or MatMul and Add as skl2onnx writes them; got a graph of SVMClassifier',
    ],
    [onnxFile(two).subarray(0, 60), 'expected an ONNX file; got a field that is cut'],
    [Uint8Array.of(8, 8, 58, 255, 255, 255, 255, 15), 'expected an ONNX file; got a field that is cut'],
    [Uint8Array.of(8, 255), 'expected an ONNX file; got a number that is cut'],
    [Uint8Array.of(58, 255, 255, 255, 255, 255, 1), 'expected an ONNX file; got a length of more than five bytes'],
    [Uint8Array.of(11), 'expected an ONNX file; got a field of the unknown wire type 3'],
    [new TextEncoder().encode('{}'), 'expected an ONNX file; got a field of the unknown wire type 3'],
    [Uint8Array.of(8, 8), 'expected an ONNX file; got a file without a graph'],
    [
      onnxFile({ ...two, labels: new Array(2 ** 20 + 1).fill(1) }),
      'expected an ONNX file; got a list of more than 1048576 whole numbers',
    ],
    [emptyNodes(100_001), 'expected an ONNX file; got more than 100000 operators'],
  ])('%# is refused if it does not fit', (bytes, message) => {
    expect(() => fromOnnx(bytes, 'a.onnx')).toThrow(`a.onnx: ${message}`);
  });
});

describe('a classifier of scikit-learn', () => {
  const classifiers: readonly ForeignClassifier[] = written;

  test.each(classifiers.map((each) => [each.name, each] as const))('%s, is read from ONNX and from JSON', (_, each) => {
    checkImports(each);
  });

  test('may have its coefficients of two classes in one list, and one number as intercept', async () => {
    const flat = { classes: [false, true], coef: [2, -1], intercept: 0.5 };
    const predictor = new Predictor(fromJson(JSON.stringify(flat)));
    expect(predictor.predict([1, 0])).toBe('true');
    expect(predictor.score([1, 1])).toBe(1.5);
    const named = { ...flat, columns: ['a', 'b'], label: 'y' };
    const judged = await evaluate(fromJson(JSON.stringify(named)), csv('a,b,y\n1,0,True\n0,3,False\n'));
    expect(judged.confusion).toEqual([
      [1, 0],
      [0, 1],
    ]);
    const numbers = fromJson(JSON.stringify({ ...named, classes: [0, 1] }));
    expect((await evaluate(numbers, csv('a,b,y\n1,0,1.0\n0,3,0.0\n'))).accuracy).toBe(1);
    const several = { classes: [1, 2, 3], coef: [[1], [2], [3]], intercept: 0.25 };
    expect([...new Predictor(fromJson(JSON.stringify(several))).scores([2])]).toEqual([2.25, 4.25, 6.25]);
    const refused = (value: object) => expect(() => fromJson(JSON.stringify(value)));
    refused({ ...several, coef: [1, 2, 3] }).toThrow('expected "coef[0]" to be a list; got 1');
    refused({ ...flat, coef: [2, [1]] }).toThrow('expected "coef[0]" to be a list; got 2');
    refused({ ...flat, classes: [false, 'true'] }).toThrow('expected "classes" to be text; got false');
    refused({ ...flat, intercept: null }).toThrow('expected "intercept" to be a list; got null');
  });

  test('whose graph chooses another class than that of the highest score is refused', () => {
    const { onnx } = classifiers.find(({ name }) => name.startsWith('Perceptron of two'))!;
    const text = Buffer.from(onnx, 'base64').toString('latin1');
    for (const [from, to] of [
      ['ArgMax', 'ArgMin'],
      // The factor −1 of the score of the first class becomes 1; the scores are joined in the other order.
      ['\x00\x00\x80\xbf', '\x00\x00\x80\x3f'],
      ['\x0a\x0enegated_scores\x0a\x05score', '\x0a\x05score\x0a\x0enegated_scores'],
      ['Concat', 'Comcat'],
    ] as const) {
      expect(text).toContain(from);
      const changed = Buffer.from(text.replaceAll(from, to), 'latin1');
      expect(() => fromOnnx(changed), to).toThrow(
        /^expected one LinearClassifier, or MatMul and Add as skl2onnx writes/,
      );
    }
  });
});

test('changed files end in one sentence', () => {
  const random = new Random(3);
  const runs = process.env.TEST_DEEP ? 2000 : 200;
  const pieces = ['', '-', '9', '1e999', 'NaN', '\0', '{', ']', '99999999999', '"', ' ', '\n', 'w\n', 'null'];
  for (const [text, read] of [
    [binary, fromLiblinear],
    [several, fromLiblinear],
    [JSON.stringify(coefficients), fromJson],
  ] as const)
    for (let i = 0; i < runs; i++) {
      const from = random.below(text.length);
      const changed = text.slice(0, from) + pieces[random.below(pieces.length)] + text.slice(from + random.below(8));
      endsInSentence(() => read(changed, 'f'), changed);
    }
  const file = onnxFile({
    labels: ['up', 'down', 'still'],
    coefficients: [1, 2, 3, 4, 5, 6],
    intercepts: [0.5, 0, -1],
    scaled: { offset: [1, 2], scale: [0.5, 4] },
  });
  const graph = Buffer.from(written[0]!.onnx, 'base64');
  for (let i = 0; i < 2 * runs; i++) {
    const onnx = i % 2 === 0 ? file : graph;
    const from = random.below(onnx.length);
    // Cut, shifted, or with other bytes: among them counts of any size, and floats that are none.
    const kept = i % 5 === 0 ? new Uint8Array(0) : onnx.subarray(from + random.below(4));
    const other = Uint8Array.from(
      { length: random.below(6) },
      () => [0, 255, 127, 128][random.below(5)] ?? random.below(256),
    );
    const changed = Uint8Array.from([...onnx.subarray(0, from), ...other, ...kept]);
    endsInSentence(() => fromOnnx(changed, 'f'), changed);
  }
});

/** A changed file may still be a model. */
function endsInSentence(read: () => Model, changed: unknown): void {
  try {
    expect(new Predictor(read()).model.rule).toBe('imported');
  } catch (error) {
    expect(error, JSON.stringify(changed)).toBeInstanceOf(HalfspaceError);
    expect((error as HalfspaceError).code).toBe('model-invalid');
    expect((error as HalfspaceError).message).not.toContain('\n');
  }
}

/** A file of two bytes for each of many nodes. */
function emptyNodes(count: number): Uint8Array {
  const graph = new Uint8Array(2 * count);
  for (let i = 0; i < graph.length; i += 2) graph[i] = 10;
  const length = [0, 1, 2].map((k) => ((graph.length >> (7 * k)) & 127) + (k < 2 ? 128 : 0));
  return Uint8Array.from([58, ...length, ...graph]);
}
