import { readFileSync } from 'node:fs';
import { decodeModel, HalfspaceError, type Model } from 'halfspace';
import { reasonOf } from 'halfspace/node';

/** Reads a model file. @throws HalfspaceError `source-unreadable`, `model-invalid`. */
export function readModel(path: string): Model {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw new HalfspaceError('source-unreadable', `expected a model file; got ${reasonOf(error)}`, { source: path });
  }
  if (bytes.length === 0)
    throw new HalfspaceError('model-invalid', 'expected a model file; got an empty file', { source: path });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HalfspaceError('model-invalid', 'expected a model file; got bytes that are no text', { source: path });
  }
  return decodeModel(text, path);
}
