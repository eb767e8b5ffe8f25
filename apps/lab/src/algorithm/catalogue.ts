import type { PresetName, RuleName } from 'halfspace';
import { locale, t } from '../words/words.ts';
import type { Algorithm } from './algorithm.ts';
import { orderText } from './order-text.ts';
import { ruleSpecs } from './rules.constant.ts';
import { updateCondition, variantOf } from './variant.ts';

/** An algorithm in the list. */
export interface Choice {
  /** `blog`, `rule averaged` */
  readonly id: string;
  readonly title: string;
  /** One sentence. */
  readonly about: string;
  /** Its origin in the literature. */
  readonly source: string;
  readonly as: PresetName | null;
  readonly rule: RuleName;
  /** Options that it sets; the others have their defaults. */
  readonly options: Algorithm['options'];
}

function lecture(as: PresetName, title: string, source: string, about: string): Choice {
  return { id: as, title, about, source, as, rule: 'perceptron', options: {} };
}

function plain(rule: RuleName, title: string, source: string, about: string): Choice {
  return { id: `rule ${rule}`, title, about, source, as: null, rule, options: {} };
}

function gradient(loss: string, title: string, source: string, about: string): Choice {
  return { id: `sgd ${loss}`, title, about, source, as: null, rule: 'sgd', options: { loss } };
}

const lecture9 = t`Lecture 9, “Perceptron Classifier Models” (S. Nath)`;
const cornell = t`Cornell CS 4/5780, “The Perceptron” (spring 2023)`;
const freundSchapire = 'Freund & Schapire 1999';

/** The algorithms that can be chosen, in groups. */
export const catalogue: readonly { readonly group: string; readonly choices: readonly Choice[] }[] = [
  {
    group: t`The perceptron`,
    choices: [
      plain(
        'perceptron',
        t`Perceptron`,
        'Rosenblatt 1957',
        t`Takes the examples in turn. Each one on its wrong side is added to w, times its class.`,
      ),
    ],
  },
  {
    group: t`The lectures’ perceptrons`,
    choices: [
      lecture(
        'blog',
        t`The blog`,
        t`“Perceptron”, blog post of 8 March 2019`,
        t`In turn until a pass without a mistake.`,
      ),
      lecture('lecture-9', t`Lecture 9, algorithm 1`, lecture9, t`Examples drawn at random, one after the other.`),
      lecture(
        'lecture-9-algorithm-2',
        t`Lecture 9, algorithm 2`,
        lecture9,
        t`Without a branch: adds half the difference of label and prediction, times x.`,
      ),
      lecture('cs4780', 'CS 4/5780', cornell, t`Scales all examples into the unit ball, then takes them in turn.`),
      lecture(
        'foda',
        'FODA L26',
        t`FODA L26, “the Perceptron Algorithm”`,
        t`Starts at an example, returns a unit vector.`,
      ),
      lecture('slides', t`The slides`, t`“Perceptron”, slides by P. Sen`, t`Always makes MaxIter passes.`),
    ],
  },
  {
    group: t`Better answers from the same steps`,
    choices: [
      plain('averaged', t`Averaged`, freundSchapire, t`Predicts with the mean of the weights over time.`),
      plain('pocket', t`Pocket`, 'Gallant 1990', t`Predicts with the best weights of the run.`),
      plain('voted', t`Voted`, freundSchapire, t`Predicts by a vote of all weights of the run.`),
    ],
  },
  {
    group: t`Other steps`,
    choices: [
      plain(
        'margin',
        t`Margin perceptron`,
        'Duda & Hart 1973; Krauth & Mézard 1987',
        t`Also updates on correct examples whose margin is small.`,
      ),
      plain(
        'passive-aggressive',
        t`Passive-aggressive`,
        'Crammer et al. 2006',
        t`Makes the smallest change that gives the example a margin of 1.`,
      ),
      plain('arow', 'AROW', 'Crammer, Kulesza & Dredze 2009', t`Moves the weights of frequent features less.`),
    ],
  },
  {
    group: t`Gradient steps on a loss`,
    choices: [
      gradient(
        'perceptron',
        t`SGD: perceptron loss`,
        t`Lecture 9, section 9.4`,
        t`max(0, −y·a), with a penalty and a step length to choose.`,
      ),
      gradient('hinge', t`SGD: hinge loss`, t`linear SVM`, 'max(0, 1 − y·a).'),
      gradient('squared-hinge', t`SGD: squared hinge loss`, t`linear SVM`, 'max(0, 1 − y·a)².'),
      gradient('logistic', t`SGD: logistic loss`, t`logistic regression`, 'ln(1 + e^(−y·a)).'),
      gradient('modified-huber', t`SGD: modified Huber loss`, 'Zhang 2004', t`Squared hinge, but linear for y·a < −1.`),
    ],
  },
  {
    group: t`Not a line`,
    choices: [
      plain(
        'kernel',
        t`Kernel perceptron`,
        'Aizerman et al. 1964; Freund & Schapire 1999',
        t`A curved boundary, given by the examples it made mistakes on.`,
      ),
      plain('tree', t`Decision tree`, t`Lecture 9, section 9.5`, t`Asks one question after the other.`),
    ],
  },
];

const all = catalogue.flatMap(({ choices }) => choices);

/** Returns the choice that an algorithm belongs to; other options do not matter. */
export function choiceOf({ as, rule, options }: Algorithm): Choice {
  const { loss = 'logistic' } = options;
  return all.find((choice) =>
    as !== null
      ? choice.as === as
      : choice.as === null && choice.rule === rule && (rule !== 'sgd' || choice.options.loss === loss),
  )!;
}

export function choiceById(id: string): Choice {
  return all.find((choice) => choice.id === id)!;
}

/** Returns the algorithm of a choice. Seed, held-out share and passes stay as they are. */
export function choose({ as, rule, options }: Choice, { seed, holdout, passes }: Algorithm): Algorithm {
  return { as, rule, options, order: null, passes, seed, holdout };
}

/** A property of an algorithm, for the table that compares algorithms. */
export interface Trait {
  readonly name: string;
  readonly value: string;
}

/** Describes an algorithm's variant in words. */
export function traitsOf(algorithm: Algorithm): Trait[] {
  const { as, rule } = algorithm;
  if (!ruleSpecs[rule].hasPasses) return [];
  const variant = variantOf(algorithm);
  const { quiet, cleanPass, passes } = variant.stop;
  const stops = [
    ...(cleanPass ? [t`a pass without an update`] : []),
    ...(quiet === 'covering' ? [t`n(ln n + 5) draws in a row without an update`] : []),
    ...(quiet === 'pass' ? [t`n examples in a row without an update`] : []),
    passes === 'auto' ? t`as many passes as the data allow` : t`${passes.toLocaleString(locale)} passes`,
  ];
  return [
    {
      name: t`Bias`,
      value:
        variant.bias === 'absorbed' ? t`absorbed: component 0 of w, of a constant 1` : t`separate: a number beside w`,
    },
    { name: t`Start`, value: variant.start === 'example' ? t`y·x of the first example` : '0' },
    { name: t`Next example`, value: variant.order === 'auto' ? orderText.cyclic : orderText[variant.order] },
    { name: t`Update when`, value: updateText(algorithm) },
    { name: t`Class at score 0`, value: variant.tie > 0 ? '+1' : '−1' },
    {
      name: t`Scaling`,
      value: { none: t`none`, 'unit-ball': t`x / max‖x‖ where that is above 1`, 'max-norm': 'x / max‖x‖' }[
        variant.scaling
      ],
    },
    { name: t`Stops after`, value: stops.join(t`, or `) },
    { name: t`Returns`, value: variant.returns === 'unit' ? 'w / ‖w‖' : returned(as, rule) },
  ];
}

function updateText(algorithm: Algorithm): string {
  if (variantOf(algorithm).updateWhen === 'sign-differs') return 'y ≠ sgn(a), sgn(0) = +1';
  const condition = updateCondition(algorithm);
  return condition === null ? t`always` : `y·a ${condition}`;
}

function returned(as: PresetName | null, rule: RuleName): string {
  if (as === 'blog') return '(θ, θ₀)';
  if (as === 'slides') return '(b, w)';
  if (as !== null) return 'w';
  return (
    {
      averaged: t`the mean of (w, b)`,
      pocket: t`the best (w, b)`,
      voted: t`all (w, b), to vote`,
      kernel: t`the mistakes`,
    }[rule as string] ?? '(w, b)'
  );
}
