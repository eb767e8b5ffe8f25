import { featureEncoding } from '../features/parse-encoding.ts';
import { decodeBy } from './decode-file.ts';
import type { Sha256 } from './digest.ts';
import { decoders } from './kinds.ts';
import type { Model } from './model.ts';

/**
 * Reads the text of a model file. Runs no code from it, and refuses anything that is not valid.
 *
 * @example
 * const { model } = await train(csv('mails.csv'));
 * const same = decodeModel(encodeModel(model));
 * console.log(new Predictor(same).predict({ sender: 'unknown', links: 9, words: 20 })); // yes
 *
 * @param source name of the file for messages.
 * @param hash a SHA-256 that is faster than the one in plain TypeScript, if the runtime has one.
 * @throws HalfspaceError `model-invalid`: not a model, truncated, edited, or from a newer version.
 */
export function decodeModel(json: string, source?: string, hash?: Sha256): Model {
  return decodeBy({ features: featureEncoding, kinds: decoders }, json, source, hash);
}
