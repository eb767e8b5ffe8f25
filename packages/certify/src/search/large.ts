import type { SparseBatch } from 'halfspace';
import type { Contradiction, SeparatorProof } from '../certificate.ts';
import { WholeExamples } from '../exact/separator.ts';
import { quotient } from '../exact/whole.ts';
import type { Clock } from './clock.ts';
import { Descent } from './descent.ts';
import { Frame } from './frame.ts';
import { extended, type PlainLine, peel } from './one-sided.ts';
import { learn, startPerceptron } from './perceptron.ts';
import { Search } from './search.ts';
import { commonFeatures, contradictionOf, growing } from './small-sets.ts';
import { inAll, subsetOf } from './subset.ts';

/** Beyond so many features a linear programme of all examples is too large. */
export const mostFeatures = 3000;

/** What was found among many features: one of the first two, or neither. */
export interface LargeSearch {
  readonly contradiction: Contradiction | null;
  readonly separator: SeparatorProof | null;
  /** Where a descent over all examples stands, if there was one. */
  readonly descent: Descent | null;
  /** Weights of examples for a ceiling; perhaps none. */
  readonly lambda: ReadonlyMap<number, number>;
}

/**
 * Looks for a contradiction or a separator among examples of so many features that a linear programme of all would be too large.
 *
 * Examples that a feature of one sign decides are set aside; of texts that is often all of them, which gives a separator at once. What
 * is left may have few enough features for the programme; else see {@link searchWide}.
 *
 * @param prove makes a line exact, or says that it does not separate.
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
  /** A line of the core's features, at margins of 1, in all features. */
  const inAllFeatures = ({ w, bias }: PlainLine): PlainLine => {
    const all = new Float64Array(examples.dimension);
    let least = Infinity;
    core.forEach((_, k) => {
      let score = bias;
      const { offsets, indices, values, labels } = subset.examples;
      for (let at = offsets[k]!; at < offsets[k + 1]!; at++) score += w[indices[at]!]! * values[at]!;
      least = Math.min(least, labels[k]! * score);
    });
    const unit = least > 0 ? least : 1;
    w.forEach((each, j) => {
      all[subset.features[j]!] = each / unit;
    });
    return { w: all, bias: bias / unit };
  };
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

/** The side of the examples that no feature decided: those of one class, or none. */
function leftOver({ rows, labels }: SparseBatch, decided: readonly { readonly examples: readonly number[] }[]): number {
  const gone = new Uint8Array(rows);
  for (const { examples } of decided) for (const i of examples) gone[i] = 1;
  const at = gone.indexOf(0);
  return at < 0 ? 0 : labels[at]!;
}

/** Weights of any number of digits as doubles, the largest about 1. */
function plain({ weights, bias }: SeparatorProof): PlainLine {
  const numbers = [...weights, bias].map(BigInt);
  const largest = numbers.reduce((a, b) => (b > a ? b : -b > a ? -b : a), 1n);
  const doubles = numbers.map((each) => (each < 0n ? -quotient(-each, largest) : quotient(each, largest)));
  return { w: Float64Array.from(doubles.slice(0, -1)), bias: doubles.at(-1)! };
}

/** As for data of few features. */
async function searchNarrow(frame: Frame, clock: Clock) {
  const run = startPerceptron(frame);
  await learn(frame, run, clock);
  const search = await Search.open(frame, new WholeExamples(frame.examples), run.mistakes);
  try {
    return await search.run(clock);
  } finally {
    search.dispose();
  }
}

/** How many of the examples that grow most are looked at. */
const sizes = [128, 512, 2048, 8192, 32_768];

/**
 * First among the examples that have only the most common features, which are few features and perhaps many examples. Then a descent is run:
 * it comes to a separator where there is one of some margin; else the examples whose weights go on growing are those to look at. A
 * contradiction of thousands of examples stays out of reach, and so does a separator of hardly any margin.
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
