import { HalfspaceError } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { bodyOf, encodeGroup, sequenceOf } from '../../src/journal/frame.ts';
import { copyName, segmentName, snapshotName } from '../../src/journal/names.ts';
import { encodeSegmentHeader, seedOf, segmentHeaderBytes } from '../../src/journal/segment-header.ts';
import { replay } from '../../src/models/replay.ts';
import { chained } from '../../src/state/chain.ts';
import type { ModelState } from '../../src/state/model-state.ts';
import { memoryFiles } from '../support/examples.ts';

/** A state that only remembers its records. */
class Remembered {
  readonly bodies: string[] = [];
  sequence: number;
  digest: string;

  constructor(sequence: number, digest: string) {
    this.sequence = sequence;
    this.digest = digest;
  }

  apply(bytes: Buffer, from = 0, to = bytes.length): void {
    expect(sequenceOf(bytes, from)).toBe(++this.sequence);
    this.digest = chained(this.digest, bytes, from, to);
    this.bodies.push(bodyOf(bytes, from, to));
  }
}

const folder = '/m';
const first = '0'.repeat(32);

/** Files of a journal: for each segment its groups, each with the bodies of its records. */
function journalOf(segments: readonly (readonly (readonly string[])[])[]) {
  const snapshot = Buffer.from(`0 ${first}`);
  const files = new Map<string, Uint8Array>(
    [snapshotName(0), copyName(0)].map((name) => [`${folder}/${name}`, snapshot]),
  );
  const state = new Remembered(0, first);
  /** Of the last segment: the end of each record, and the begin of the last group. */
  let ends: number[] = [];
  let lastGroup = 0;
  for (const groups of segments) {
    const header = encodeSegmentHeader({ first: state.sequence + 1, digest: state.digest });
    const parts = [header];
    const path = `${folder}/${segmentName(state.sequence + 1)}`;
    let size = segmentHeaderBytes;
    ends = [size];
    for (const bodies of groups) {
      lastGroup = size;
      const records = bodies.map((body) => ({ kind: 1, body }));
      const { bytes, payloads } = encodeGroup(records, state.sequence + 1, size, seedOf(header));
      for (const payload of payloads) {
        state.apply(payload);
        ends.push(ends.at(-1)! + 12 + payload.length);
      }
      parts.push(bytes);
      size += bytes.length;
    }
    files.set(path, Buffer.concat(parts));
  }
  return { files, bodies: state.bodies, ends, lastGroup, paths: [...files.keys()].slice(2) };
}

/** Replays files. Returns the bodies, or the refusal. */
async function replayed(files: ReadonlyMap<string, Uint8Array>) {
  const torn: string[] = [];
  const begin = (snapshot: Uint8Array) => {
    const [sequence, digest] = Buffer.from(snapshot).toString().split(' ');
    return new Remembered(Number(sequence), digest!) as unknown as ModelState;
  };
  try {
    const { state, clean } = await replay(memoryFiles(files), folder, begin, (message) => torn.push(message));
    return { bodies: (state as unknown as Remembered).bodies, clean: clean !== null, torn: torn.length };
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    return { refused: error };
  }
}

const sample = journalOf([
  [['one', 'two'], ['three']],
  [['four'], ['five', 'six'], ['seven', 'eight', 'nine €']],
]);
const [before, last] = sample.paths as [string, string];

test('records come back in order, from any segments and groups', async () => {
  const groups = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { minLength: 1, maxLength: 4 }), {
    maxLength: 4,
  });
  await forAllAsync(
    fc.array(
      groups.filter((each) => each.length > 0),
      { maxLength: 3 },
    ),
    groups,
    async (more, end) => {
      const { files, bodies } = journalOf([...more, end]);
      expect(await replayed(files)).toEqual({ bodies, clean: bodies.length === 0, torn: 0 });
      // Of the two snapshots one is enough. The other is told if it is the first, and written again.
      for (const [name, told] of [
        [snapshotName(0), 1],
        [copyName(0), 0],
      ] as const) {
        const [path, whole] = [`${folder}/${name}`, files.get(`${folder}/${name}`)!];
        files.delete(path);
        expect(await replayed(files)).toEqual({ bodies, clean: false, torn: told });
        files.set(path, whole);
      }
    },
  );
});

describe('a journal that is damaged', () => {
  test('loses only the records of an end that was cut, and tells so', async () => {
    const bytes = sample.files.get(last)!;
    for (let length = 0; length < bytes.length; length++) {
      const files = new Map([...sample.files, [last, bytes.subarray(0, length)]]);
      const whole = sample.ends.filter((end) => end <= length).length - 1;
      const found = await replayed(files);
      if (length < segmentHeaderBytes) expect(found).toMatchObject({ refused: { code: 'source-corrupt' } });
      else
        expect(found).toEqual({
          bodies: sample.bodies.slice(0, 3 + whole),
          clean: false,
          torn: sample.ends.includes(length) ? 0 : 1,
        });
    }
  });

  test('is refused if a bit changed that was durable; a changed bit of the last group ends it', async () => {
    for (const path of [before, last]) {
      const bytes = sample.files.get(path)!;
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const at = bit >> 3;
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1 << (bit & 7);
        const found = await replayed(new Map([...sample.files, [path, changed]]));
        if (path === before || at < sample.lastGroup) {
          expect(found).toMatchObject({ refused: { code: 'source-corrupt', where: { source: path } } });
          expect((found as { refused: Error }).refused.message).toMatch(/restore the f(ile|older) from a copy/i);
        } else {
          const whole = sample.ends.filter((end) => end <= at).length - 1;
          expect(found).toEqual({ bodies: sample.bodies.slice(0, 3 + whole), clean: false, torn: 1 });
        }
      }
    }
  });

  test('is refused if an earlier segment was cut, or one is missing', async () => {
    const bytes = sample.files.get(before)!;
    for (let length = 0; length < bytes.length; length++) {
      const files = new Map([...sample.files, [before, bytes.subarray(0, length)]]);
      expect(await replayed(files)).toMatchObject({ refused: { code: 'source-corrupt', where: { source: before } } });
    }
    const files = new Map(sample.files);
    files.delete(before);
    expect(await replayed(files)).toMatchObject({ refused: { code: 'source-corrupt', where: { source: before } } });
    files.delete(last);
    expect(await replayed(files)).toMatchObject({ refused: { code: 'source-corrupt' } });
  });

  test('is refused if its segment is that of another journal', async () => {
    const other = journalOf([[['1', '2'], ['3']], [['4']]]);
    const files = new Map([...sample.files, [last, other.files.get(last)!]]);
    expect(await replayed(files)).toMatchObject({ refused: { message: expect.stringMatching(/different models/) } });
    // A frame that moved from another segment is no record of this one, whatever its sequence number.
    const moved = Buffer.concat([
      sample.files.get(last)!.subarray(0, segmentHeaderBytes),
      other.files.get(last)!.subarray(segmentHeaderBytes),
    ]);
    const found = await replayed(new Map([...sample.files, [last, moved]]));
    expect(found).toEqual({ bodies: sample.bodies.slice(0, 3), clean: false, torn: 1 });
  });

  test('of a group that was written and not synced any part may be there: it is cut before the first gap', async () => {
    const bytes = sample.files.get(last)!;
    await forAllAsync(fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), async (pages) => {
      const page = Math.ceil((bytes.length - sample.lastGroup) / pages.length);
      const torn = Buffer.from(bytes);
      for (const [k, isThere] of pages.entries())
        if (!isThere) torn.subarray(sample.lastGroup + k * page, sample.lastGroup + (k + 1) * page).fill(0);
      const gap = bytes.findIndex((byte, at) => torn[at] !== byte);
      const whole = gap < 0 ? sample.ends.length - 1 : sample.ends.filter((end) => end <= gap).length - 1;
      const found = await replayed(new Map([...sample.files, [last, torn]]));
      expect(found).toMatchObject({ bodies: sample.bodies.slice(0, 3 + whole), torn: gap < 0 ? 0 : 1 });
    });
  });
});
