/** Memory of a classifier, counted from above. */
export interface OnlineSize {
  /** Bytes of weights, names and kept values, with the room that they have to grow. */
  readonly bytes: number;
  readonly features: number;
  readonly classes: number;
}

/** Growth of a classifier by a row. */
export interface Growth {
  features: number;
  /** Bytes of names and kept values. */
  bytes: number;
}

/** Bytes of a feature in one learner: four doubles at most, in arrays that may be twice as long as needed. */
export const weightBytes = 64;

/** Bytes of a column besides its name, its levels or words, and its weights. */
export const columnBytes = 2048;

/** Returns the bytes of a name in a map, with its position and its counts. */
export function nameBytes(name: string): number {
  return 128 + 2 * name.length;
}

/** Returns the sum of {@link nameBytes}. */
export function bytesOfNames(names: Iterable<string>): number {
  let bytes = 0;
  for (const name of names) bytes += nameBytes(name);
  return bytes;
}

/** Returns the bytes of a value that is kept. */
export function valueBytes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + valueBytes(each), 128);
  return typeof value === 'string' ? nameBytes(value) : 128;
}

/** Returns the same text. Engines keep the whole text for the sake of a part of it; the result is no such part. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
