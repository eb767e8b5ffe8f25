import type { Spread } from '../measurements.ts';

/** One question of the map: a yes leads to rules, a no to the next question. */
interface Question {
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

/** The results of `bench/src/rules/main.mjs`. An empty rule is the choice that halfspace makes itself. */
export interface RuleResults {
  readonly date: string;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly version: string;
  readonly rounds: number;
  readonly sets: readonly RuleSet[];
}

interface RuleSet {
  readonly name: string;
  readonly what: string;
  readonly examples: number;
  readonly judged: number;
  readonly baseline: number;
  readonly outcomes: readonly (Outcome | Refusal)[];
}

interface Outcome {
  readonly rule: string;
  readonly accuracy: number;
  readonly seconds: Spread;
}

/** A rule that does not take the data of a set. */
interface Refusal {
  readonly rule: string;
  readonly failure: string;
}

/** Writes the questions as a list in the order of the map, each with the measured accuracies and times of its rules. */
export function ruleMap({ sets }: RuleResults): string {
  const items = questions.map(({ text, yes, measured }) => {
    const answer =
      measured === null
        ? []
        : [
            evidence(
              named(sets, measured.set, ({ name }) => name),
              measured.rules,
            ),
          ];
    return [`1. **${text}**`, `Yes: ${yes}`, ...answer].join('\n\n   ');
  });
  return ['<div class="rule-map">', ...items, '</div>'].join('\n\n');
}

function evidence(set: RuleSet, rules: readonly string[]): string {
  const figures = rules.map((rule) => {
    const { accuracy, seconds } = named(measuredOn(set), rule, (outcome) => outcome.rule);
    return `${shown(rule)} ${percent(accuracy)} in ${time(seconds)}`;
  });
  return `Measured on *${set.name}* (${set.what}): ${figures.join(', ')}.`;
}

/** Writes a table of all rules on all sets, and says how it was measured. */
export function ruleTable({ sets, machine, version, rounds, date }: RuleResults): string {
  const rules = [...new Set(sets.flatMap(({ outcomes }) => outcomes.map(({ rule }) => rule)))];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cell = (set: RuleSet, rule: string) => {
    const outcome = measuredOn(set).find((each) => each.rule === rule);
    if (outcome === undefined) return '';
    const accuracy = percent(outcome.accuracy);
    return `${reachesBest(outcome, set) ? `**${accuracy}**` : accuracy}<br>${time(outcome.seconds)}`;
  };
  return [
    [
      row(['rule', ...sets.map(({ name }) => name)]),
      row(['---', ...sets.map(() => '--:')]),
      row(['rows learned from', ...sets.map(({ examples }) => examples.toLocaleString('en'))]),
      row(['rows judged', ...sets.map(({ judged }) => judged.toLocaleString('en'))]),
      row(['the commonest class', ...sets.map(({ baseline }) => percent(baseline))]),
      ...rules.map((rule) => row([shown(rule), ...sets.map((set) => cell(set, rule))])),
    ].join('\n'),
    sets
      .map(({ name, what }) => `*${name}*: ${what}`)
      .join('; ')
      .concat('.'),
    `halfspace ${version}, ${date.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ` +
      `median time of ${rounds} whole processes, from text to model.`,
  ].join('\n\n');
}

/** Tests if an accuracy is the best of its set, or below it by no more than one standard error of the best. */
function reachesBest({ accuracy }: Outcome, set: RuleSet): boolean {
  const best = Math.max(...measuredOn(set).map((each) => each.accuracy));
  return accuracy >= best - Math.sqrt((best * (1 - best)) / set.judged);
}

const measuredOn = ({ outcomes }: RuleSet) => outcomes.filter((each) => 'accuracy' in each);

function named<T>(all: readonly T[], name: string, nameOf: (one: T) => string): T {
  const one = all.find((each) => nameOf(each) === name);
  if (one === undefined) throw new Error(`expected one of ${all.map(nameOf)}; got ${name}`);
  return one;
}

const shown = (rule: string) => (rule === '' ? 'no rule named' : `\`${rule}\``);
const percent = (share: number) => `${(100 * share).toFixed(1)}\u00a0%`;
const time = ({ median }: Spread) => `${median.toFixed(2)}\u00a0s`;
