import type { Spill } from '../../src/data/store.ts';

/** A spill in memory that remembers what was asked of it. */
export interface SpillDouble {
  readonly open: () => Spill;
  /** The numbers of calls of open and close. */
  opened: number;
  closed: number;
  /** Bytes appended. */
  bytes: number;
}

export function spillDouble(): SpillDouble {
  const double: SpillDouble = {
    opened: 0,
    closed: 0,
    bytes: 0,
    open: () => {
      double.opened++;
      // Not at 0, so that a position taken for granted is wrong.
      const first = 1000;
      const pieces: { position: number; bytes: Uint8Array }[] = [];
      let end = first;
      return {
        append(bytes) {
          const position = end;
          pieces.push({ position, bytes: bytes.slice() });
          end += bytes.length;
          double.bytes += bytes.length;
          return position;
        },
        read(position, target) {
          const piece = pieces.filter((candidate) => candidate.position <= position).at(-1);
          const from = position - (piece?.position ?? 0);
          if (piece === undefined || from + target.length > piece.bytes.length)
            throw new Error(`nothing was written at ${position} to ${position + target.length}`);
          target.set(piece.bytes.subarray(from, from + target.length));
        },
        close() {
          double.closed++;
        },
      };
    },
  };
  return double;
}
