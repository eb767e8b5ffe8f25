/**
 * Logistic regression, and for three or more classes softmax regression, with an L2 penalty, at their minimum.
 *
 * Objective: F = Σ hᵢ·L(xᵢ) / Σ hᵢ + α·½·Σ‖wₖ‖², as that of sgd.ts with the losses logistic and multinomial:
 *   two classes   L = ln(1 + e^(−y·a)) with a = w·x + b·c
 *   K classes     L = ln Σₖ e^aₖ − a_y with aₖ = wₖ·x + bₖ·c; of all minima that with Σₖ wₖ = 0 and Σₖ bₖ = 0
 * The biases are not penalised. α > 0, so there is one minimum, also where a hyperplane separates the rows.
 * Update: w ← w + t·s, with all examples at once. s is Newton's step: conjugate gradients solve H·s = −∇F, with the
 * Hessian H of F, until the residual is at most a tenth of that of s = 0, and less near the minimum. They are
 * preconditioned by the blocks of H of one class each, factorised by Cholesky (for two classes the block is H, but for
 * rows far from the boundary); or by its diagonal, with a block for each chain, if blocks cost more than 250 products
 * with H, or have more than 1,200 columns. A block of the features up to the last chain is tried before that. t is the
 * first of 1, ½, ¼, … that lowers F by 10⁻⁴ of what the slope promises (Armijo). The last step is the first that
 * promises to lower F by at most 10⁻⁹ of F + 10⁻⁶.
 * Symbols: h importance of the example; c value of the constant feature; K number of classes.
 * Source: Lin, Weng & Keerthi 2008, Trust region Newton method for large-scale logistic regression (JMLR 9), section 2,
 * with a line search as in Nocedal & Wright 2006, Numerical Optimization, algorithm 7.1; Böhning 1992 for K classes.
 * Increments with a sign (features/number/bend.ts), and the weights of straight numbers with a trend, stay within their
 * bound: projected Newton, Bertsekas 1982 (SIAM J. Control and Optimization 20), section 2. Numbers at the bound whose
 * derivative points beyond it take no part in a step, and t is the first along the path clipped at the bounds.
 * Differences: blocks of a class as the preconditioner. LIBLINEAR penalises the bias, scikit-learn does not. A chain of
 * features may have a penalty on the increments of its weights: logistic/chains.ts.
 */
import type { RuleDefinition } from './rule-definition.ts';
import type { OptionSpecs } from './rule-options.ts';

const logisticOptions = {
  /** Strength of the penalty, in (0, ∞). Default 1 / rows, or by the sum of their importance: C = 1 of scikit-learn. */
  alpha: {
    kind: 'number',
    from: 0,
    open: 'from',
    default: null,
    about: 'strength of the penalty, by default 1 / rows',
  },
} as const satisfies OptionSpecs;

export const logistic = {
  summary: 'logistic or softmax regression, at the minimum of the loss',
  options: logisticOptions,
  minimises: true,
} as const satisfies RuleDefinition;
