import type { RuleName } from 'halfspace';
import type { Algorithm } from './algorithm.ts';
import { formula } from './formula.ts';
import { type ListingLine, line, lines } from './listing.ts';
import { perceptronSteps, start, testOf, withPasses } from './perceptron-listing.ts';
import { ruleSpecs } from './rules.constant.ts';
import { answersByMean } from './variant.ts';

type Options = Algorithm['options'];

/** Returns the listing of a rule with its options. */
export function ruleListing(algorithm: Algorithm): ListingLine[] {
  const { rule, options } = algorithm;
  const make: Readonly<Record<RuleName, (options: Options) => ListingLine[]>> = {
    perceptron: (options) => perceptronSteps(testOf(options), formula`(w, b)`),
    averaged,
    pocket,
    voted,
    margin: () => perceptronSteps(`<b>if</b> ${formula`y\,(w \cdot x + b) \le \tau`}`, formula`(w, b)`),
    'passive-aggressive': passiveAggressive,
    sgd,
    logistic,
    arow,
    kernel,
    tree,
  };
  const own = make[rule](options);
  return ruleSpecs[rule].hasPasses ? withPasses(own, algorithm) : own;
}

function averaged(options: Options): ListingLine[] {
  const mean = `${formula`\bar w, \bar b \gets`} the mean of ${formula`w, b`} after every example so far`;
  return perceptronSteps(testOf(options), formula`(\bar w, \bar b)`, [line('always', 1, mean)]);
}

function pocket(options: Options): ListingLine[] {
  // Of more than 1,000 examples, only weights with the longest streak of correct examples so far.
  const ratchet = [
    line('update', 2, `<b>if</b> ${formula`w`} is correct on more examples than ${formula`W`}: ${formula`W \gets w`}`),
  ];
  return perceptronSteps(testOf(options), formula`W`, ratchet, `${start}, pocket ${formula`W \gets w`}`);
}

function voted(options: Options): ListingLine[] {
  return lines(
    ['start', 0, `${formula`v_0 \gets 0,\; c_0 \gets 0,\; k \gets 0`}`],
    ['always', 1, formula`c_k \gets c_k + 1`],
    [
      'test',
      1,
      options.updateWhen === 'below-zero'
        ? `<b>if</b> ${formula`y\,(v_k \cdot x) < 0`}`
        : `<b>if</b> ${formula`y\,(v_k \cdot x) \le 0`}`,
    ],
    ['update', 2, formula`v_{k+1} \gets v_k + y\,x,\quad c_{k+1} \gets 0`],
    ['update', 2, formula`k \gets k + 1`],
    ['frame', 0, 'stop after a pass without an update'],
    ['return', 0, `<b>answer</b> ${formula`\operatorname{sgn} \sum_k c_k \operatorname{sgn}(v_k \cdot x)`}`],
  );
}

function passiveAggressive({ variant = 'pa-1', average }: Options): ListingLine[] {
  const lengths: Readonly<Record<string, string>> = {
    pa: formula`\tau \gets \ell \,/\, (\lVert x \rVert^2 + 1)`,
    'pa-1': formula`\tau \gets \min\bigl(C,\; \ell \,/\, (\lVert x \rVert^2 + 1)\bigr)`,
    'pa-2': formula`\tau \gets \ell \,/\, \bigl(\lVert x \rVert^2 + 1 + \tfrac{1}{2C}\bigr)`,
  };
  return lines(
    ['start', 0, start],
    ['next', 1, formula`\ell \gets \max\bigl(0,\, 1 - y\,(w \cdot x + b)\bigr)`],
    ['test', 1, `<b>if</b> ${formula`\ell > 0`}`],
    ['update', 2, lengths[String(variant)]!],
    ['update', 2, formula`w \gets w + \tau\,y\,x,\quad b \gets b + \tau\,y`],
    ['return', 0, `<b>return</b> ${average === true ? 'the mean of all ' : ''}${formula`(w, b)`}`],
  );
}

function sgd(options: Options): ListingLine[] {
  const { loss = 'logistic', penalty = 'l2', schedule = 'adaptive' } = options;
  const slopes: Readonly<Record<string, string>> = {
    perceptron: formula`f \gets 1 \text{ if } m \le 0, \text{ else } 0`,
    hinge: formula`f \gets 1 \text{ if } m \le 1, \text{ else } 0`,
    'squared-hinge': formula`f \gets 2 \max(0,\, 1 - m)`,
    logistic: formula`f \gets 1 \,/\, (1 + e^{m})`,
    'modified-huber': formula`f \gets 2 \max(0,\, 1 - m), \text{ at most } 4`,
  };
  const rates: Readonly<Record<string, string>> = {
    constant: formula`\eta \gets \eta_0`,
    'inverse-scaling': formula`\eta \gets \eta_0 \,/\, (1 + T)^p`,
    adaptive: `${formula`\eta_j \gets \eta_0 / \sqrt{\textstyle\sum g_j^2}`}, for each weight`,
  };
  const shrinks: Readonly<Record<string, string>> = {
    l2: formula`w \gets w \,/\, (1 + \eta\alpha)`,
    l1: `every ${formula`w_j`} moves towards 0 by ${formula`\eta\alpha`}`,
    'elastic-net': `every ${formula`w_j`} moves towards 0 by ${formula`\eta\alpha\rho`}, then shrinks`,
  };
  const mean = answersByMean({ options });
  return [
    ...lines(
      ['start', 0, start],
      ['next', 1, formula`m \gets y\,(w \cdot x + b)`],
      ['test', 1, slopes[String(loss)]!],
      ['next', 1, rates[String(schedule)]!],
      ['update', 1, formula`w \gets w + \eta f\,y\,x,\quad b \gets b + \eta f\,y`],
    ),
    ...(penalty === 'none' ? [] : [line('always', 1, shrinks[String(penalty)]!)]),
    line(
      'return',
      0,
      mean
        ? `<b>return</b> the mean of all ${formula`w, b`}, later ones weighted more`
        : `<b>return</b> ${formula`(w, b)`}`,
    ),
  ];
}

function arow(options: Options): ListingLine[] {
  return lines(
    ['start', 0, `${formula`\mu \gets 0,\; \sigma \gets 1`}; ${formula`x`} has a constant 1`],
    ['test', 1, `<b>if</b> ${formula`y\,(\mu \cdot x) < 1`}`],
    ['update', 2, formula`\beta \gets 1 \,/\, \bigl(\textstyle\sum_j \sigma_j x_j^2 + r\bigr)`],
    ['update', 2, formula`\mu_j \gets \mu_j + \bigl(1 - y\,(\mu \cdot x)\bigr)\,\beta\,y\,\sigma_j x_j`],
    ['update', 2, formula`\sigma_j \gets \sigma_j - \beta\,(\sigma_j x_j)^2`],
    [
      'return',
      0,
      options.average === true ? `<b>return</b> the mean of all ${formula`\mu`}` : `<b>return</b> ${formula`\mu`}`,
    ],
  );
}

function kernel(options: Options): ListingLine[] {
  const { kernel: kind = 'polynomial', aggregate = 'averaged', budget } = options;
  const kernels: Readonly<Record<string, string>> = {
    linear: formula`K(x', x) = x' \cdot x + 1`,
    polynomial: formula`K(x', x) = \bigl(\gamma\,(x' \cdot x + 1) + c_0\bigr)^p`,
    rbf: formula`K(x', x) = e^{-\gamma \lVert x' - x \rVert^2}`,
  };
  const answers: Readonly<Record<string, string>> = {
    last: formula`\operatorname{sgn} \sum_{(x', y') \in M} y'\,K(x', x)`,
    averaged: `the mean over time of ${formula`\sum_M y'\,K(x', x)`}`,
    voted: `the votes over time of ${formula`\operatorname{sgn} \sum_M y'\,K(x', x)`}`,
  };
  return [
    line('start', 0, `mistakes ${formula`M \gets \varnothing`}; ${kernels[String(kind)]}`),
    line('next', 1, formula`a \gets \textstyle\sum_{(x', y') \in M} y'\,K(x', x)`),
    line('test', 1, `<b>if</b> ${formula`y\,a \le 0`}`),
    ...(budget === undefined ? [] : [line('update', 2, `<b>if</b> ${formula`M`} is full, drop a random one`)]),
    line('update', 2, formula`M \gets M \cup \{(x, y)\}`),
    line('return', 0, `<b>answer</b> ${answers[String(aggregate)]}`),
  ];
}

function logistic(): ListingLine[] {
  return lines(
    ['start', 0, start],
    ['frame', 0, formula`F = \tfrac1n \sum_i \ln(1 + e^{-y_i (w \cdot x_i + b)}) + \tfrac{\alpha}2 \lVert w \rVert^2`],
    ['frame', 0, '<b>repeat</b> until no step lowers F'],
    ['frame', 1, formula`\text{solve } \nabla^2 F \cdot s = -\nabla F`],
    [
      'frame',
      1,
      `${formula`(w, b) \gets (w, b) + t\,s`}, ${formula`t = 1, \tfrac12, \tfrac14, \dots`} until F is lower`,
    ],
    ['return', 0, `<b>return</b> ${formula`(w, b)`}`],
  );
}

function tree({ criterion = 'gini', maxDepth = 6, minLeaf = 1 }: Options): ListingLine[] {
  const measures: Readonly<Record<string, string>> = {
    gini: 'Gini impurity',
    'information-gain': 'information gain',
    'gain-ratio': 'gain ratio',
  };
  return lines(
    ['start', 0, '<b>grow</b> (examples):'],
    ['frame', 1, `<b>if</b> all examples are of one class, or the depth is ${maxDepth}`],
    ['frame', 2, '<b>return</b> a leaf with the most frequent class'],
    ['frame', 1, `choose the question with the best ${measures[String(criterion)]}`],
    ['frame', 2, `that leaves at least ${minLeaf} on each side`],
    ['frame', 1, '<b>return</b> the question, and <b>grow</b> (its answers) below it'],
    ['return', 0, 'prune branches that save no errors'],
  );
}
