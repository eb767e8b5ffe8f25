import { createDocumentModel } from './documents.mjs';
import { createRaggedModel } from './ragged.mjs';

/** Generators of documents by their name in `--generator`. They differ in kind, to avoid tuning to one. */
export const generators = { zipf: createDocumentModel, ragged: createRaggedModel };
