import { decodeModel, encodeModel, HalfspaceError, type Model } from 'halfspace';
import { readWholeText, wholeKinds } from 'halfspace/node';
import { otherPath } from '../files/paths.ts';

/** Reads a model file. @throws HalfspaceError `source-unreadable`, `model-invalid`. */
export function readModel(path: string): Model {
  return decodeModel(readText(path, 'model'), path);
}

/** Reads a text file whole. @throws HalfspaceError as `readWhole`. */
export function readText(path: string, kind: keyof typeof wholeKinds): string {
  return readWholeText(path, wholeKinds[kind], otherPath);
}

/**
 * Returns the text of a model file. Reads it back and compares, so that a model with overflowed numbers, which nobody
 * could load, does not replace a good one.
 *
 * @param path of the file, for messages.
 * @throws HalfspaceError `model-invalid`.
 */
export function modelText(model: Model, path: string): string {
  const text = encodeModel(model);
  if (model.features.kind !== 'named') checkReadable(text, path);
  else {
    // There may be millions of names. They are different texts, so the numbers are checked without them.
    const features = { kind: 'indexed', dimension: model.features.names.length, firstIndex: 0 } as const;
    checkReadable(encodeModel({ ...model, features }), path);
  }
  return text;
}

/** @throws HalfspaceError `model-invalid`. */
function checkReadable(text: string, path: string): void {
  let read: Model;
  try {
    read = decodeModel(text);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  if (encodeModel(read) !== text) throw unreadable(path, 'it differs when it is read back');
}

function unreadable(source: string, reason: string): HalfspaceError {
  return new HalfspaceError(
    'model-invalid',
    `expected a model that can be read again; got one that cannot (${reason}): nothing is written. Very large or small numbers cause this: scale them`,
    { source },
  );
}
