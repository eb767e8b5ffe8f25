import { readFileSync } from 'node:fs';
import { decodeModel, encodeModel, HalfspaceError, type Model } from 'halfspace';
import { textOfBytes } from 'halfspace/internal';
import { reasonOf } from 'halfspace/node';
import { otherPath } from '../files/paths.ts';
import { hash } from './hash.ts';

/** Reads a model file. @throws HalfspaceError `source-unreadable`, `model-invalid`. */
export function readModel(path: string): Model {
  const text = readWhole(path, 'a model file');
  if (!/^\s*[{[]/.test(text))
    throw new HalfspaceError('model-invalid', 'expected a model file (JSON); got other text; DATA follows the model', {
      source: path,
    });
  return decodeModel(text, path, hash);
}

/** Reads a text file whole. @param what for messages: `a model file`. */
export function readWhole(path: string, what: string): string {
  return wholeText(readBytes(path, what), path, what);
}

/** Reads a file whole. @throws HalfspaceError `source-unreadable`, and `model-invalid` for an empty file. */
export function readBytes(path: string, what: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === 'ENOENT' ? otherPath(path) : '';
    throw new HalfspaceError('source-unreadable', `expected ${what}; got ${reasonOf(error)}${other}`, { source: path });
  }
  if (bytes.length === 0)
    throw new HalfspaceError('model-invalid', `expected ${what}; got an empty file`, { source: path });
  return bytes;
}

/** Returns the text of a file. @throws HalfspaceError `model-invalid` for bytes that are no text. */
export function wholeText(bytes: Uint8Array, path: string, what: string): string {
  const text = textOfBytes(bytes);
  if (text !== null) return text;
  throw new HalfspaceError('model-invalid', `expected ${what}; got bytes that are not UTF-8 text`, { source: path });
}

/**
 * Returns the text of a model file. Reads it back and compares, so that a model with overflowed numbers, which nobody
 * could load, does not replace a good one.
 *
 * @param path of the file, for messages.
 * @throws HalfspaceError `model-invalid`.
 */
export function modelText(model: Model, path: string): string {
  let digest = '';
  const text = encodeModel(model, (bytes) => {
    digest = hash(bytes);
    return digest;
  });
  // The digest is that of the same text, so it is not computed again.
  if (model.features.kind !== 'named') checkReadable(text, path, hash, () => digest);
  else {
    // There may be millions of names. They are different texts, so the numbers are checked without them.
    const features = { kind: 'indexed', dimension: model.features.names.length, firstIndex: 0 } as const;
    const none = () => '';
    checkReadable(encodeModel({ ...model, features }, none), path, none, none);
  }
  return text;
}

/**
 * @param digestBy the digest for reading; `againBy`: for writing what was read.
 * @throws HalfspaceError `model-invalid`.
 */
function checkReadable(text: string, path: string, digestBy: typeof hash, againBy: typeof hash): void {
  let read: Model;
  try {
    read = decodeModel(text, undefined, digestBy);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  if (encodeModel(read, againBy) !== text) throw unreadable(path, 'it differs when it is read back');
}

function unreadable(source: string, reason: string): HalfspaceError {
  return new HalfspaceError(
    'model-invalid',
    `expected a model that can be read again; got one that cannot (${reason}): nothing is written. Very large or small numbers cause this: scale them`,
    { source },
  );
}
