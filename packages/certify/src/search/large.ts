import type { Contradiction, SeparatorProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { WholeExamples } from '../exact/separator.ts';
import type { ExactBatch } from '../exact/values.ts';
import { quotient } from '../exact/whole.ts';
import { Descent } from './descent.ts';
import { Frame } from './frame.ts';
import { LineSearch } from './line-search.ts';
import { extended, type PlainLine, peel } from './one-sided.ts';
import { learn } from './perceptron.ts';
import { commonFeatures, contradictionOf, growing } from './small-sets.ts';
import { inAll, lineInAll, subsetOf } from './subset.ts';

/** Maximum number of features for a linear programme of all examples. */
export const mostFeatures = 3000;

/** The result of a search with many features: a contradiction, a separator, or neither. */
export interface LargeSearch {
  readonly contradiction: Contradiction | null;
  readonly separator: SeparatorProof | null;
  /** The descent over all examples, if there was one. */
  readonly descent: Descent | null;
  /** Weights of examples for a ceiling; may be empty. */
  readonly lambda: ReadonlyMap<number, number>;
}

/**
 * Searches for a contradiction or a separator among examples with too many features for one linear programme.
 *
 * First removes the examples that a single feature decides ({@link peel}). For text these are often all examples, which
 * gives a separator at once. The remaining examples may have few enough features for the programme; else see {@link
 * searchWide}.
 *
 * @param prove returns the exact proof of a line, or null if the line does not separate.
 */
export async function searchLarge(
  frame: Frame,
  prove: (u: Float64Array) => SeparatorProof | null,
  clock: Clock,
): Promise<LargeSearch> {
  const { examples } = frame;
  clock.tell('learning', 'setting aside what single features decide');
  const { core, decided } = peel(
    examples,
    Array.from({ length: examples.rows }, (_, i) => i),
  );
  const proveLine = ({ w }: PlainLine) => prove(w.map((each, j) => each / frame.factors[j]!));
  if (core.length === examples.rows) return searchWide(frame, proveLine, clock);
  const beyond = (line: PlainLine) => proveLine(extended(examples, decided, line));
  if (core.length === 0) {
    const separator = beyond({ w: new Float64Array(examples.dimension), bias: leftOver(examples, decided) });
    return { contradiction: null, separator, descent: null, lambda: new Map() };
  }
  const subset = subsetOf(examples, core);
  const own = new Frame(subset.examples);
  const inAllFeatures = (line: PlainLine) => lineInAll(line, subset, examples.dimension);
  if (own.used > mostFeatures) {
    const found = await searchWide(own, (line) => beyond(inAllFeatures(line)), clock);
    return {
      contradiction: found.contradiction && inAll(found.contradiction, subset),
      separator: found.separator,
      descent: null,
      lambda: new Map(Array.from(found.lambda, ([k, each]) => [core[k]!, each])),
    };
  }
  const { contradiction, separator } = await searchNarrow(own, clock);
  return {
    contradiction: contradiction && inAll(contradiction, subset),
    separator: separator && beyond(inAllFeatures(plain(separator))),
    descent: null,
    lambda: new Map(),
  };
}

/** Returns the label of the examples that no feature decided, all of which are of one class; 0 if there are none. */
function leftOver({ rows, labels }: ExactBatch, decided: readonly { readonly examples: readonly number[] }[]): number {
  const gone = new Uint8Array(rows);
  for (const { examples } of decided) for (const i of examples) gone[i] = 1;
  const at = gone.indexOf(0);
  return at < 0 ? 0 : labels[at]!;
}

/** Returns whole weights as doubles, scaled so that the largest is about 1. */
function plain({ weights, bias }: SeparatorProof): PlainLine {
  const numbers = [...weights, bias].map(BigInt);
  const largest = numbers.reduce((a, b) => (b > a ? b : -b > a ? -b : a), 1n);
  const doubles = numbers.map((each) => (each < 0n ? -quotient(-each, largest) : quotient(each, largest)));
  return { w: Float64Array.from(doubles.slice(0, -1)), bias: doubles.at(-1)! };
}

/** Searches among examples with few features. */
async function searchNarrow(frame: Frame, clock: Clock) {
  const { mistakes } = await learn(frame, clock);
  return LineSearch.once(frame, new WholeExamples(frame.examples), mistakes, clock);
}

/** Numbers of examples, those with the fastest growing weights, among which a contradiction is searched. */
const sizes = [128, 512, 2048, 8192, 32_768];

/**
 * Searches first among the examples that have only the most common features: few features, perhaps many examples. Then
 * runs a descent. It reaches a separator if there is one with some margin. Otherwise the weights of some examples keep
 * growing, and a contradiction is searched among those. Contradictions of thousands of examples and separators with a
 * very small margin are not found.
 */
async function searchWide(
  frame: Frame,
  prove: (line: PlainLine) => SeparatorProof | null,
  clock: Clock,
): Promise<LargeSearch> {
  const common = await commonFeatures(frame.examples, clock);
  if (common !== null) return { contradiction: common, separator: null, descent: null, lambda: new Map() };
  const descent = new Descent(frame);
  let before = descent.alpha.slice();
  let tryAt = 8;
  for (let pass = 1; clock.left() > 0; pass++) {
    const { largest, wrong } = descent.pass();
    clock.tell('learning', `descent, pass ${pass}`);
    await clock.breathe();
    if (wrong <= frame.examples.rows / 1000 && descent.separates()) {
      const separator = prove(descent.line());
      if (separator !== null) return { contradiction: null, separator, descent, lambda: descent.widest().lambda };
    }
    if (largest < 1e-9) break;
    if (pass < tryAt) continue;
    const grown = growing(descent.alpha, before);
    for (const size of sizes) {
      if (clock.left() === 0) break;
      clock.tell('programme', `looking for a contradiction among ${Math.min(size, grown.length)} examples`);
      await clock.breathe();
      const contradiction = await contradictionOf(frame, grown.slice(0, size), clock);
      if (contradiction !== null) return { contradiction, separator: null, descent, lambda: descent.widest().lambda };
      if (size >= grown.length) break;
    }
    before = descent.alpha.slice();
    tryAt *= 2;
  }
  return { contradiction: null, separator: null, descent, lambda: descent.widest().lambda };
}
