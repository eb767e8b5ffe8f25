/** One question of the map: a yes leads to rules, a no to the next question. */
export interface Question {
  readonly text: string;
  /** Markdown, with links from docs/guides. */
  readonly yes: string;
  /** The set and the rules whose measured accuracies and times stand beside the answer; null for none. */
  readonly measured: { readonly set: string; readonly rules: readonly string[] } | null;
}

export const questions: readonly Question[] = [
  {
    text: 'Do the classes lie around each other, so that no line can tell them apart?',
    yes: '[`kernel`](../rules.md#kernel) for thousands of rows. [`tree`](../trees.md) for more, or if a person shall read the decision.',
    measured: { set: 'rings', rules: ['kernel', 'tree', 'averaged'] },
  },
  {
    text: 'Is a second of computing cheaper than a minute of thought?',
    yes: 'Name no rule. `train` [tries several linear rules](../evaluation.md#cross-validation) on folds of the rows, with several options, and takes the best.',
    measured: { set: 'spambase', rules: ['', 'averaged'] },
  },
  {
    text: 'Must the model learn while it answers?',
    yes: '[`averaged`](../rules.md#averaged), the default for [streams](../online.md).',
    measured: { set: 'adult', rules: ['averaged', 'perceptron'] },
  },
  {
    text: 'Are there many features, most of them absent from most rows?',
    yes: '[`arow`](../rules.md#arow), which moves rare features more, or [`averaged`](../rules.md#averaged).',
    measured: { set: 'w8a', rules: ['arow', 'averaged', 'perceptron'] },
  },
  {
    text: 'Are many labels wrong?',
    yes: '[`arow`](../rules.md#arow) or [`averaged`](../rules.md#averaged). Rules that answer with their last weights suffer from each wrong label.',
    measured: { set: 'noise', rules: ['arow', 'averaged', 'perceptron', 'passive-aggressive'] },
  },
  {
    text: 'Do you need probabilities, or weights of exactly zero?',
    yes: '[`sgd`](../rules.md#sgd) with its logistic loss, or with `penalty: "l1"`. Any other rule can be [calibrated](probabilities.md).',
    measured: { set: 'adult', rules: ['sgd', 'averaged'] },
  },
  {
    text: 'Are the classes separable, and do you want the theorem or the largest margin?',
    yes: '[`perceptron`](../rules.md#perceptron), or [the largest margin](../margins.md#the-largest-margin). `halfspace certify` [proves](../certificates.md) that the classes are separable.',
    measured: null,
  },
  {
    text: 'None of these?',
    yes: '[`averaged`](../rules.md#averaged).',
    measured: { set: 'spambase', rules: ['averaged', 'perceptron'] },
  },
];
