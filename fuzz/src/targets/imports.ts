import { decodeModel, encodeModel, type Model } from 'halfspace';
import { fromJson, fromLiblinear, fromOnnx } from 'halfspace/export';
import foreign from '../../../packages/halfspace/test/export/foreign-classifiers.json' with { type: 'json' };
import { onnxFile } from '../../../packages/halfspace/test/export/onnx-file.ts';
import { mutateJson } from '../mutate-json.ts';
import { bytesOf, same, type Target, textOf } from '../target.ts';
import { ask } from './files.ts';

/** An imported model is written and read as any other, and answers. */
function use(model: Model): void {
  const text = encodeModel(model);
  same('an imported model is read as it was written', encodeModel(decodeModel(text)), text);
  ask(model);
}

const liblinearTarget: Target = {
  name: 'liblinear',
  words: ['solver_type ', 'L2R_LR', 'MCSVM_CS', 'nr_class ', 'label ', 'nr_feature ', 'bias ', 'w\n', '-1', '1e308'],
  seeds: () =>
    [
      'solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 3\nbias 1\nw\n0.5 \n-2 \n1e-3 \n0.25 \n',
      'solver_type MCSVM_CS\nnr_class 3\nlabel 4 0 7\nnr_feature 2\nbias -1\nw\n1 2 3 \n-1 0 1 \n',
    ].map(bytesOf),
  run: (bytes) => use(fromLiblinear(textOf(bytes), 'x.model')),
};

const onnxTarget: Target = {
  name: 'onnx',
  words: [
    'LinearClassifier',
    'Scaler',
    'MatMul',
    'Add',
    'ai.onnx.ml',
    'coefficients',
    'intercepts',
    'classlabels_ints',
  ],
  seeds: () => [
    onnxFile({ labels: ['no', 'yes'], coefficients: [-1, 2, 1, -2], intercepts: [0.5, -0.5] }),
    onnxFile({
      labels: [-1, 0, 7],
      coefficients: [1, 2, 3, 4, 5, 6],
      intercepts: [1, 0, -1],
      scaled: { offset: [1, 2], scale: [0.5, 0.25] },
    }),
    ...foreign.slice(0, 4).map(({ onnx }) => new Uint8Array(Buffer.from(onnx, 'base64'))),
  ],
  run: (bytes) => use(fromOnnx(bytes, 'x.onnx')),
};

const coefficientsTarget: Target = {
  name: 'coefficients',
  words: ['"classes"', '"coef"', '"intercept"', '"columns"', '"levels"', '"rare": true', '"indicator": true', 'null'],
  seeds: () =>
    [
      {
        classes: ['dear', 'poor'],
        coef: [[2, -1, 0.5, 3, 0.25, 1]],
        intercept: [0.5],
        columns: [
          'rooms',
          { name: 'age', mean: 40, scale: 10, fill: 30, indicator: true },
          { name: 'town', levels: ['Lima', 'Oslo'], rare: true },
        ],
        label: 'price',
      },
      { classes: [0, 1, 2], coef: [[1], [2], [3]], intercept: [0.25, 0.25, 0.25] },
      { classes: [false, true], coef: [1, 0, -1], intercept: 0 },
    ].map((value) => bytesOf(JSON.stringify(value))),
  mutate: (bytes, random) => mutateJson(bytes, random),
  run: (bytes) => use(fromJson(textOf(bytes), 'x.json')),
};

export const importTargets: readonly Target[] = [liblinearTarget, onnxTarget, coefficientsTarget];
