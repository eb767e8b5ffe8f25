/**
 * Writes models as programs and files for other runtimes.
 * @module
 */
export { type COptions, toC } from './c/program.ts';
export { cellReader } from './cell-reader.ts';
export { toScikitLearn } from './coefficients/write.ts';
export { fromJson } from './import/json.ts';
export { fromLiblinear } from './import/liblinear.ts';
export { fromOnnx } from './import/onnx.ts';
export { type JavaScriptOptions, toJavaScript, toTypeScript } from './javascript/module.ts';
export { toLiblinear } from './liblinear/write.ts';
export { toOnnx } from './onnx/model.ts';
export { roundingBounds } from './rounding-bounds.ts';
export { type ScoreBound, scoreBound } from './score-bound.ts';
export { type SqlDialect, sqlDialects } from './sql/dialect.ts';
export { type SqlOptions, toSql } from './sql/query.ts';
