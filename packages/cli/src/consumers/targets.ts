import type { exportOptions } from '../options.ts';
import { startC } from './c.ts';
import type { StartConsumer } from './consumer.ts';
import { startDuckDb } from './duckdb.ts';
import { startJavaScript } from './javascript.ts';
import { startLiblinear } from './liblinear.ts';
import { startOnnx } from './onnx.ts';
import { startScikitLearn } from './scikit-learn.ts';

/** The consumer of each target of `export`. */
export const consumers: Readonly<Record<keyof typeof exportOptions, StartConsumer>> = {
  javascript: (exported) => startJavaScript(exported, 'js'),
  typescript: (exported) => startJavaScript(exported, 'ts'),
  c: startC,
  sql: startDuckDb,
  onnx: startOnnx,
  liblinear: startLiblinear,
  'scikit-learn': startScikitLearn,
};
