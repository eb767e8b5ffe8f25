import type { UpdateWhen } from '../rules/mistake-driven.ts';
import type { RuleName } from '../rules/registry.ts';

/** Kind of bias: a constant feature inside x, a separate number, or none. */
export type BiasKind = (typeof biasKinds)[number];
export const biasKinds = ['absorbed', 'separate', 'none'] as const;

/**
 * Order of the examples in each pass. `cyclic`: that of the data. `shuffled`: shuffled before every pass.
 * `shuffled-once`: shuffled before the first pass. `random`: drawn with replacement. `auto`: `cyclic` for a single
 * pass, which then learns while it reads, and for examples beyond memory; `shuffled`, if that costs little, for rules
 * that return their last weights, which depend on the last examples; else `shuffled-once`.
 */
export type Order = 'auto' | 'cyclic' | 'shuffled' | 'shuffled-once' | 'random';

/**
 * The weights before the first example: all 0; y·x of the first example; or seeded uniform in [−1, 1), also the bias.
 */
type Start = 'zero' | 'example' | 'random';

/**
 * Scaling of x before learning, including the constant feature if the bias is absorbed. `max-norm`: divides by max‖x‖,
 * so the longest x has norm 1. `unit-ball`: the same if max‖x‖ > 1.
 */
export type Scaling = (typeof scalings)[number];
export const scalings = ['none', 'unit-ball', 'max-norm'] as const;

/** Conditions that end a run; the first one that holds ends it. At least one must be able to. */
export interface StopWhen {
  /** Ends the run after a pass without an update. */
  readonly cleanPass: boolean;
  /**
   * Ends the run after this number of examples in a row without an update. `pass`: n, the number of examples.
   * `covering`: ⌈n(ln n + 5)⌉; then the probability that uniform draws missed some example is below e⁻⁵. Null: never.
   */
  readonly quiet: number | 'pass' | 'covering' | null;
  /**
   * Ends the run after this number of passes; a pass of random draws has n. `auto`: 10⁸ / (number of stored values), in
   * [10, 100]; 10 for dual rules, whose time and model grow with every mistake.
   */
  readonly passes: number | 'auto';
}

/** All properties in which the lectures' perceptrons differ. A preset is a value of this type. */
export interface PerceptronVariant {
  readonly rule: RuleName;
  readonly bias: BiasKind;
  readonly start: Start;
  readonly order: Order;
  /** For the rules `averaged` and `perceptron`; other rules have other update conditions. */
  readonly updateWhen: UpdateWhen;
  readonly tie: -1 | 1;
  readonly scaling: Scaling;
  /** `unit`: weights divided by ‖w‖, including that of the constant feature if the bias is absorbed. */
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

/** The common case of the lectures: cyclic order, until a clean pass, with a separate bias. */
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
 * The variants of the five lectures, named after their sources. Errata that are corrected here:
 * - lecture-9's algorithm 2 prints sgn(yᵢ·wᵀxᵢ) instead of sgn(wᵀxᵢ): as printed, it would ignore misclassified
 *   negative examples and update on correctly classified ones. Its text says "< 0" but its algorithm "≤ 0"; we follow
 *   the algorithm.
 * - blog's loop runs over the d features instead of the n examples, and gives θ n components instead of d. cs4780 and
 *   foda do not define the class of score 0; we use −1, as blog and slides do.
 */
export const presets = {
  /** Lecture 9, algorithm 1: uniform draws with replacement, class +1 at 0. */
  'lecture-9': drawn,
  /** Lecture 9, algorithm 2: w += ½(y − sgn(w·x))x without a branch; differs from algorithm 1 for y = 1 at score 0. */
  'lecture-9-algorithm-2': { ...drawn, updateWhen: 'sign-differs' },
  /** Cornell CS 4/5780: cyclic order, until a clean pass, all x inside the unit ball. */
  cs4780: { ...inTurn, bias: 'absorbed', scaling: 'unit-ball' },
  /** FODA L26: starts at y·x of one example, updates only on strictly misclassified ones, returns w/‖w‖. */
  foda: {
    ...inTurn,
    bias: 'absorbed',
    start: 'example',
    updateWhen: 'below-zero',
    scaling: 'max-norm',
    returns: 'unit',
    stop: { cleanPass: false, quiet: 'pass', passes: 1000 },
  },
  /** The blog: separate θ₀, cyclic order, until a clean pass. */
  blog: inTurn,
  /** The slides: separate b, exactly MaxIter passes. */
  slides: { ...inTurn, stop: { cleanPass: false, quiet: null, passes: 10 } },
} as const satisfies Record<string, PerceptronVariant>;

export type PresetName = keyof typeof presets;
