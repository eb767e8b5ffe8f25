import { encodeModel } from 'halfspace';
import type { Disk } from '../disk/disk.ts';
import { ModelState } from '../state/model-state.ts';
import type { ModelPart } from './contract.ts';
import { damaged, replay } from './replay.ts';

/** A file of a model that is to be made of its journal. */
export interface PartOfFiles {
  readonly folder: string;
  readonly name: string;
  readonly part: ModelPart;
  /** The record up to which the files are read. All records up to it are durable. */
  readonly sequence: number;
  /** Digest of the state then; null: it is not known. */
  readonly digest: string | null;
}

/** Returns a file of a state. */
export function encodedPart(state: ModelState, part: ModelPart): Uint8Array {
  if (part === 'snapshot') return state.snapshot();
  return Buffer.from(part === 'state' ? state.classifier.save() : encodeModel(state.classifier.model()));
}

/**
 * Makes a file of a model from the newest snapshot and the records behind it. So it needs nothing of the state in
 * memory, and has the same bytes.
 *
 * @throws HalfspaceError `source-corrupt` also if the files lead to another state.
 */
export async function partOfFiles(disk: Disk, asked: PartOfFiles): Promise<Uint8Array> {
  const { folder, name, part, sequence, digest } = asked;
  const begin = (bytes: Uint8Array) => ModelState.load(bytes, name);
  const { state } = await replay(disk, folder, begin, () => {}, undefined, sequence);
  if (state.sequence !== sequence || (digest ?? state.digest) !== state.digest)
    throw damaged(
      `expected files that lead to record ${sequence} and ${digest}; got ${state.sequence} and ${state.digest}`,
      folder,
    );
  return encodedPart(state, part);
}
