import type { Label } from '../data/label.ts';
import { featureEncoding } from '../features/parse-encoding.ts';
import { decodeBy } from './decode-file.ts';
import type { FileContents } from './file-contents.ts';
import { decoders } from './kinds.ts';
import type { Model } from './model.ts';

/**
 * Reads a model file. Runs no code from it, and refuses anything that is not valid.
 *
 * @example
 * const { model } = await train(csv('mails.csv'));
 * const same = decodeModel(encodeModel(model));
 * console.log(new Predictor(same).predict({ sender: 'unknown', links: 9, words: 20 })); // yes
 *
 * @param file its text, the bytes of the text, or its parsed JSON, as a column `jsonb` of a database returns it.
 * @param source name of the file for messages.
 * @throws HalfspaceError `model-invalid`: not a model, truncated, edited, or of another version.
 */
export function decodeModel<L extends Label = Label>(file: FileContents, source?: string): Model<L> {
  return decodeBy({ features: featureEncoding, kinds: decoders }, file, source) as Model<L>;
}
