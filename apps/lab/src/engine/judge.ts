import { HalfspaceError } from 'halfspace';
import { findMaximumMargin } from 'halfspace/margins';
import { type Encoded, sourceOf, vectorOf } from './encode.ts';
import type { NotSeparable, Separator, Undecided, Verdict } from './verdict.ts';

/** Time limits of the searches, in seconds. */
const [marginSeconds, proofSeconds] = [6, 10];
/** Size of data beyond which no proof is searched, because the page would wait too long. */
const mostNumbers = 4e6;
const mostFeatures = 3000;

/**
 * Finds out if a line separates the examples. Returns a separator with two bounds on the largest margin, or an exact
 * proof that there is none.
 * @throws HalfspaceError `interrupted`.
 */
export async function judge(
  encoded: Encoded,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (text: string) => void },
): Promise<Verdict> {
  onProgress('Looking for a line…');
  const source = sourceOf(encoded);
  const own = await within(marginSeconds, signal, (limited) =>
    findMaximumMargin(source, { gap: 1e-6, signal: limited }),
  );
  if (own.separable === true) {
    onProgress('Measuring the margin…');
    const lifted = await within(marginSeconds, signal, (limited) =>
      findMaximumMargin(source, { gap: 1e-6, bias: 'absorbed', signal: limited }),
    );
    return { kind: 'separable', ...separatorOf(own), lifted: separatorOf(lifted) };
  }
  const numbers = encoded.rows * encoded.dimension;
  if (numbers > mostNumbers || encoded.dimension > mostFeatures) {
    if (own.separable === false)
      return undecided(
        0,
        'No line separates the examples; there are too many of them to prove it here example by example.',
      );
    return undecided(
      own.upper,
      'The data are too large to look for a proof here; the command halfspace certify may have one.',
    );
  }
  onProgress('Looking for a proof…');
  return prove(encoded, own.upper, signal);
}

/** Proves that no line separates, or finds a line. The prover and its solver are loaded on first use. */
async function prove(encoded: Encoded, upper: number, signal: AbortSignal): Promise<Verdict> {
  const { certify, gather } = await import('halfspace-certify');
  const { examples, classes } = await gather(sourceOf(encoded));
  const certificate = await certify(examples, { classes, seconds: proofSeconds, signal });
  heed(signal);
  const [contradiction] = certificate.contradictions;
  if (contradiction !== undefined) {
    const total = BigInt(contradiction.total);
    const combination = contradiction.rows.map((row, k) => ({
      row: row - 1,
      weight: quotient(BigInt(contradiction.weights[k]!), total),
    }));
    return { kind: 'not-separable', combination, meeting: meetingOf(encoded, combination) } satisfies NotSeparable;
  }
  if (certificate.separator !== null)
    return undecided(upper, 'A line separates the examples, but its margin is too small for floating-point bounds.');
  return undecided(upper, `Neither a line nor a proof that there is none was found within ${proofSeconds} seconds.`);
}

function undecided(upper: number | null, why: string): Undecided {
  return { kind: 'undecided', upper, why };
}

function separatorOf({ weights, bias, lower, upper }: Separator): Separator {
  return { weights, bias, lower, upper };
}

/** Divides whole numbers of any size, to the precision of doubles. */
function quotient(a: bigint, b: bigint): number {
  return Number((a * 2n ** 64n) / b) / 2 ** 64;
}

/** Σ λᵢxᵢ over the positive examples, divided by their Σ λᵢ. */
function meetingOf(encoded: Encoded, combination: NotSeparable['combination']): Float64Array {
  const meeting = new Float64Array(encoded.dimension);
  let total = 0;
  for (const { row, weight } of combination) {
    const { x, y } = vectorOf(encoded, row);
    if (y < 0) continue;
    total += weight;
    for (let j = 0; j < x.length; j++) meeting[j]! += weight * x[j]!;
  }
  return meeting.map((sum) => sum / total);
}

/** Runs a search with a time limit, and returns what it has found by then. */
async function within<T>(
  seconds: number,
  signal: AbortSignal,
  search: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, 1000 * seconds);
  signal.addEventListener('abort', end);
  try {
    const found = await search(limit.signal);
    heed(signal);
    return found;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function heed(signal: AbortSignal): void {
  if (signal.aborted) throw new HalfspaceError('interrupted', 'Other data were opened meanwhile.');
}
