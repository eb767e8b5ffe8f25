import type { Contradiction, SeparatorProof } from './certificate.ts';
import type { Clock } from './clock.ts';
import { Descent } from './descent.ts';
import type { Frame } from './frame.ts';
import { commonFeatures, contradictionOf, growing } from './small-sets.ts';
import type { Widest } from './widest.ts';

/** What was found among many features, and the descent as it stands; one of the first two, or neither. */
export interface LargeSearch {
  readonly contradiction: Contradiction | null;
  readonly separator: SeparatorProof | null;
  readonly descent: Descent | null;
}

/** How many of the examples that grow most are looked at. */
const sizes = [128, 512, 2048];

/**
 * Looks for a contradiction or a separator among examples of so many features that a linear programme of all would be too large.
 *
 * First among the examples that have only the most common features, which are few features and, in texts, many examples. Then a descent
 * is run: it comes to a separator where there is one of some margin; else the examples whose weights go on growing are those to look at.
 * A contradiction of thousands of examples stays out of reach, and so does a separator of hardly any margin.
 *
 * @param separatorOf proves a line.
 */
export async function searchLarge(
  frame: Frame,
  separatorOf: (line: Widest) => SeparatorProof | null,
  clock: Clock,
): Promise<LargeSearch> {
  const common = await commonFeatures(frame.examples, clock);
  if (common !== null) return { contradiction: common, separator: null, descent: null };
  const descent = new Descent(frame);
  let before = descent.alpha.slice();
  let tryAt = 8;
  for (let pass = 1; clock.left() > 0; pass++) {
    const { largest, separated } = descent.pass();
    clock.tell('learning', `descent, pass ${pass}`);
    await clock.breathe();
    if (separated || largest < 1e-9) {
      const separator = separatorOf(descent.widest());
      if (separator !== null) return { contradiction: null, separator, descent };
      if (largest < 1e-9) break;
    }
    if (pass < tryAt) continue;
    const grown = growing(descent.alpha, before);
    for (const size of sizes) {
      if (clock.left() === 0) break;
      clock.tell('programme', `looking for a contradiction among ${Math.min(size, grown.length)} examples`);
      const contradiction = await contradictionOf(frame, grown.slice(0, size), clock);
      if (contradiction !== null) return { contradiction, separator: null, descent: null };
      if (size >= grown.length) break;
    }
    before = descent.alpha.slice();
    tryAt *= 2;
  }
  return { contradiction: null, separator: null, descent };
}
