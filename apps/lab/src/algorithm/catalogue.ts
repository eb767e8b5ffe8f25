import type { PresetName, RuleName } from 'halfspace';
import type { Algorithm } from './algorithm.ts';

/** An algorithm in the list. */
interface Choice {
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

const lecture9 = 'Lecture 9, “Perceptron Classifier Models” (S. Nath)';
const cornell = 'Cornell CS 4/5780, “The Perceptron” (spring 2023)';
const freundSchapire = 'Freund & Schapire 1999';

/** The algorithms that can be chosen, in groups. */
export const catalogue: readonly { readonly group: string; readonly choices: readonly Choice[] }[] = [
  {
    group: 'The perceptron',
    choices: [
      plain(
        'perceptron',
        'Perceptron',
        'Rosenblatt 1957',
        'Takes the examples in turn. Each one on its wrong side is added to w, times its class.',
      ),
    ],
  },
  {
    group: 'The lectures’ perceptrons',
    choices: [
      lecture('blog', 'The blog', '“Perceptron”, blog post of 8 March 2019', 'In turn until a pass without a mistake.'),
      lecture('lecture-9', 'Lecture 9, algorithm 1', lecture9, 'Examples drawn at random, one after the other.'),
      lecture(
        'lecture-9-algorithm-2',
        'Lecture 9, algorithm 2',
        lecture9,
        'Without a branch: adds half the difference of label and prediction, times x.',
      ),
      lecture('cs4780', 'CS 4/5780', cornell, 'Scales all examples into the unit ball, then takes them in turn.'),
      lecture(
        'foda',
        'FODA L26',
        'FODA L26, “the Perceptron Algorithm”',
        'Starts at an example, returns a unit vector.',
      ),
      lecture('slides', 'The slides', '“Perceptron”, slides by P. Sen', 'Always makes MaxIter passes.'),
    ],
  },
  {
    group: 'Better answers from the same steps',
    choices: [
      plain('averaged', 'Averaged', freundSchapire, 'Predicts with the mean of the weights over time.'),
      plain('pocket', 'Pocket', 'Gallant 1990', 'Predicts with the best weights of the run.'),
      plain('voted', 'Voted', freundSchapire, 'Predicts by a vote of all weights of the run.'),
    ],
  },
  {
    group: 'Other steps',
    choices: [
      plain(
        'margin',
        'Margin perceptron',
        'Duda & Hart 1973; Krauth & Mézard 1987',
        'Also updates on correct examples whose margin is small.',
      ),
      plain(
        'passive-aggressive',
        'Passive-aggressive',
        'Crammer et al. 2006',
        'Makes the smallest change that gives the example a margin of 1.',
      ),
      plain('arow', 'AROW', 'Crammer, Kulesza & Dredze 2009', 'Moves the weights of frequent features less.'),
    ],
  },
  {
    group: 'Gradient steps on a loss',
    choices: [
      gradient(
        'perceptron',
        'SGD: perceptron loss',
        'Lecture 9, section 9.4',
        'max(0, −y·a), with a penalty and a step length to choose.',
      ),
      gradient('hinge', 'SGD: hinge loss', 'linear SVM', 'max(0, 1 − y·a).'),
      gradient('squared-hinge', 'SGD: squared hinge loss', 'linear SVM', 'max(0, 1 − y·a)².'),
      gradient('logistic', 'SGD: logistic loss', 'logistic regression', 'ln(1 + e^(−y·a)).'),
      plain('logistic', 'Logistic regression', 'Lin, Weng & Keerthi 2008', 'The minimum itself, by Newton’s method.'),
      gradient('modified-huber', 'SGD: modified Huber loss', 'Zhang 2004', 'Squared hinge, but linear for y·a < −1.'),
    ],
  },
  {
    group: 'Not a line',
    choices: [
      plain(
        'kernel',
        'Kernel perceptron',
        'Aizerman et al. 1964; Freund & Schapire 1999',
        'A curved boundary, given by the examples it made mistakes on.',
      ),
      plain('tree', 'Decision tree', 'Lecture 9, section 9.5', 'Asks one question after the other.'),
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
