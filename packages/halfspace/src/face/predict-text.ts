/**
 * Asks models of numbers, tables, text and named features: `halfspace/predict` with text. Nothing that learns, no
 * WebAssembly.
 * @module
 */
import type { Label } from '../data/label.ts';
import { featureEncoding } from '../features/parse-encoding.ts';
import { decodeBy } from '../model/decode-file.ts';
import { featureReaders } from '../model/feature-readers.ts';
import type { FileContents } from '../model/file-contents.ts';
import { leftOut } from '../model/left-out.ts';
import * as linear from '../model/linear/kind.ts';
import type { Model } from '../model/model.ts';
import * as multiclass from '../model/multiclass/kind.ts';
import { RowPredictor } from '../model/row-predictor.ts';
import { rowScorerOf } from '../model/row-scorer-of.ts';

export type { Label } from '../data/label.ts';
export { type ErrorCode, HalfspaceError, type Place } from '../errors.ts';
export type { RecordRow } from '../features/record.ts';
export type { FileContents } from '../model/file-contents.ts';
export type { LinearModel } from '../model/linear/model.ts';
export type { Model } from '../model/model.ts';
export type { MulticlassModel } from '../model/multiclass/model.ts';
export type { RawRow } from '../model/raw-features.ts';

const dual = leftOut('a kernel', 'halfspace');
const tree = leftOut('a tree', 'halfspace');

/**
 * Reads a model file, checked like the `decodeModel` of `halfspace`: linear models, of two or more classes.
 *
 * @param file its text, the bytes of the text, or its parsed JSON, as a column `jsonb` of a database returns it.
 * @param source name of the file for messages.
 * @throws HalfspaceError `model-invalid`: not a model, truncated, edited, or of another version; `option-invalid`: a
 *   model of another kind; the message names the import that reads it.
 */
export function decodeModel<L extends Label = Label>(file: FileContents, source?: string): Model<L> {
  const kinds = { linear: linear.decode, multiclass: multiclass.decode, dual, tree };
  return decodeBy({ features: featureEncoding, kinds }, file, source) as Model<L>;
}

/** Classifies rows one at a time like the `Predictor` of `halfspace`: same classes, scores, probabilities, errors. */
export class Predictor<L extends Label = Label> extends RowPredictor<L> {
  /**
   * @throws HalfspaceError `option-invalid` for a model of another kind, whose message names the import for it, and for
   *   models of hashed text.
   */
  constructor(model: Model<L>) {
    const scorers = { linear: linear.createRowScorer, multiclass: multiclass.createRowScorer, dual, tree };
    super(model, rowScorerOf(scorers, featureReaders, model));
  }
}
