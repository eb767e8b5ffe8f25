import type { UpdateWhen } from '../rules/mistake-driven.ts';
import type { RuleName } from '../rules/registry.ts';

/** Kind of bias: a constant feature inside x, a separate number, or none. */
export type BiasKind = 'absorbed' | 'separate' | 'none';

/**
 * Order in which examples are shown: that of the data; shuffled anew before every pass; shuffled once, before the
 * first; or drawn with replacement. `auto` is `cyclic` for a single pass, which then learns while it reads, and for
 * examples beyond memory; else `shuffled-once`, or, where that costs little, `shuffled` for rules that answer with
 * their last weights, which depend on the order of the last examples.
 */
export type Order = 'auto' | 'cyclic' | 'shuffled' | 'shuffled-once' | 'random';

/**
 * The weights before the first example: all zero; y·x of the first example; or every component (bias included) uniform
 * in [−1, 1) from the seed.
 */
export type Start = 'zero' | 'example' | 'random';

/**
 * Scaling of x before learning, constant feature included when the bias is absorbed. `max-norm`: divided by max‖x‖, so
 * the longest has norm 1. `unit-ball`: the same where max‖x‖ > 1, nothing otherwise.
 */
export type Scaling = 'none' | 'unit-ball' | 'max-norm';

/** When a run ends, whichever comes first. At least one of them must be able to end it. */
export interface StopWhen {
  /** After a pass without an update. */
  readonly cleanPass: boolean;
  /**
   * After this number of examples in a row without an update. `pass`: n, the number of examples. `covering`: ⌈n(ln n +
   * 5)⌉, after which uniform draws have missed some example with probability below e⁻⁵. Null: never.
   */
  readonly quiet: number | 'pass' | 'covering' | null;
  /**
   * After this number of passes; of random draws a pass has n. `auto`: 10⁸ over the stored values, at least 10, at most
   * 100; 10 for rules in dual form, whose time and model grow with every mistake.
   */
  readonly passes: number | 'auto';
}

/** All that the lectures' perceptrons differ in: a preset is a value of this type. */
export interface PerceptronVariant {
  readonly rule: RuleName;
  readonly bias: BiasKind;
  readonly start: Start;
  readonly order: Order;
  /** For the rules `averaged` and `perceptron`; the others have conditions of their own. */
  readonly updateWhen: UpdateWhen;
  readonly tie: -1 | 1;
  readonly scaling: Scaling;
  /** `unit`: weights divided by ‖w‖, the constant feature's weight included when the bias is absorbed. */
  readonly returns: 'weights' | 'unit';
  readonly stop: StopWhen;
}

/** The default of `train`. */
export const defaultVariant = {
  rule: 'averaged',
  bias: 'separate',
  start: 'zero',
  order: 'cyclic',
  updateWhen: 'at-most-zero',
  tie: -1,
  scaling: 'none',
  returns: 'weights',
  stop: { cleanPass: true, quiet: null, passes: 'auto' },
} as const satisfies PerceptronVariant;

/** In turn, until a clean pass, with a separate bias: what most lectures have in common. */
const inTurn = {
  ...defaultVariant,
  rule: 'perceptron',
  stop: { cleanPass: true, quiet: null, passes: 1000 },
} as const satisfies PerceptronVariant;

const drawn = {
  ...inTurn,
  bias: 'absorbed',
  order: 'random',
  tie: 1,
  stop: { cleanPass: false, quiet: 'covering', passes: 1000 },
} as const satisfies PerceptronVariant;

/**
 * The five lectures, named after their sources. Errata that are corrected here, not copied:
 * - lecture-9's algorithm 2 prints sgn(yᵢ·wᵀxᵢ) where sgn(wᵀxᵢ) is meant: as printed it would leave misclassified
 *   negative examples alone and update the correctly classified ones. Its text says "< 0" where its algorithm says "≤
 *   0"; the algorithm is followed.
 * - blog's loop runs over the d features where it must run over the n examples, and sizes θ by n where it has d
 *   components. cs4780 and foda do not say which class a score of 0 has; −1 is used, as in blog and slides.
 */
export const presets = {
  /** Lecture 9, algorithm 1: uniform draws with replacement, class +1 at 0. */
  'lecture-9': drawn,
  /**
   * Lecture 9, algorithm 2: w += ½(y − sgn(w·x))x without a branch; differs from algorithm 1 at score 0 of positives.
   */
  'lecture-9-algorithm-2': { ...drawn, updateWhen: 'sign-differs' },
  /** Cornell CS 4/5780: in turn, until a clean pass, everything inside the unit ball. */
  cs4780: { ...inTurn, bias: 'absorbed', scaling: 'unit-ball' },
  /** FODA L26: starts at y·x of one example, updates only strictly misclassified ones, returns w/‖w‖. */
  foda: {
    ...inTurn,
    bias: 'absorbed',
    start: 'example',
    updateWhen: 'below-zero',
    scaling: 'max-norm',
    returns: 'unit',
    stop: { cleanPass: false, quiet: 'pass', passes: 1000 },
  },
  /** The blog: separate θ₀, in turn, until a clean pass. */
  blog: inTurn,
  /** The slides: separate b, exactly MaxIter passes, whatever happens in them. */
  slides: { ...inTurn, stop: { cleanPass: false, quiet: null, passes: 10 } },
} as const satisfies Record<string, PerceptronVariant>;

export type PresetName = keyof typeof presets;
