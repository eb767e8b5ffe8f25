import { createDocumentModel } from './documents.mjs';
import { createRaggedModel } from './ragged.mjs';

/** Makers of documents by the name that `--generator` takes. They differ in kind, so that nobody tunes to one. */
export const generators = { zipf: createDocumentModel, ragged: createRaggedModel };
