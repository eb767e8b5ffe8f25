import { readFileSync } from 'node:fs';
import { decodeModel, encodeModel, HalfspaceError, type Model } from 'halfspace';
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

/**
 * The text of a model's file, which was read again and gave the same model: a model that overflowed would take the place of a good one, and
 * nobody could load it.
 *
 * @param path where it goes, for messages.
 * @throws HalfspaceError `model-invalid`.
 */
export async function modelText(model: Model, path: string): Promise<string> {
  // Loaded now: not every run gets so far, and none needs it sooner.
  const { createHash } = await import('node:crypto');
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  let digest = '';
  const text = encodeModel(model, (bytes) => {
    digest = hash(bytes);
    return digest;
  });
  let again: Model;
  try {
    again = decodeModel(text, undefined, hash);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  // Texts that agree need no other digest.
  if (encodeModel(again, () => digest) !== text) throw unreadable(path, 'it says something else when it is read');
  return text;
}

function unreadable(source: string, reason: string): HalfspaceError {
  return new HalfspaceError(
    'model-invalid',
    `expected a model that can be read again; got one that cannot (${reason}): nothing is written. Numbers far from 1 do this: scale them down`,
    { source },
  );
}
