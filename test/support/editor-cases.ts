import { csv, OnlineClassifier, train } from 'halfspace';
import { rules } from 'halfspace/rules';

/** Names of the options of a rule, and the word `name`. */
const optionsOf = (rule: keyof typeof rules) => Object.keys(rules[rule].options).sort();
const allOfRules = [...new Set(Object.values(rules).flatMap(({ options }) => Object.keys(options)))];
const losses = ['hinge', 'logistic', 'modified-huber', 'multinomial', 'perceptron', 'squared-hinge'];

/** The options that a call accepts, from the message that refuses another one. */
async function optionsIn(call: (options: object) => unknown): Promise<string[]> {
  try {
    await call({ '': 1 });
  } catch (error) {
    const [, names] = /\((.*?)\); got ""/.exec(String(error)) ?? [];
    if (names !== undefined) return names.split(', ').sort();
    throw error;
  }
  throw new Error('expected a refusal');
}
const optionsOfTrain = await optionsIn((options) => train(csv(''), options));
const optionsOfOnline = await optionsIn((options) => new OnlineClassifier(options));

const trained = (options: string) => `import { csv, train } from 'halfspace';\nvoid train(csv('x'), ${options});`;
const online = (options: string) => `import { OnlineClassifier } from 'halfspace';\nnew OnlineClassifier(${options});`;

/** Modules with a `|` where an editor is asked, and what it lists there. */
export const editorCases: readonly (readonly [what: string, text: string, expected: readonly string[]])[] = [
  ['the options of train', trained('{ | }'), optionsOfTrain],
  ['those that are left of them', trained("{ rule: 'averaged', | }"), optionsOfTrain.filter((name) => name !== 'rule')],
  ['the options of a rule with a name', trained("{ rule: { name: 'sgd', | } }"), optionsOf('sgd')],
  [
    'those that are left',
    trained("{ rule: { name: 'kernel', gamma: 2, | } }"),
    optionsOf('kernel').filter((name) => name !== 'gamma'),
  ],
  ['the options of all rules before a name', trained('{ rule: { | } }'), ['name', ...allOfRules].sort()],
  ['the rules by name', trained("{ rule: '|' }"), ['auto', ...Object.keys(rules)].sort()],
  ['the names of rules', trained("{ rule: { name: '|' } }"), Object.keys(rules).sort()],
  ['the values of an option of a rule', trained("{ rule: { name: 'sgd', loss: '|' } }"), losses],
  ['the values of an option', trained("{ calibrate: '|' }"), ['isotonic', 'platt']],
  ['the options of an online classifier', online('{ | }'), optionsOfOnline],
  ['those of its rule', online("{ rule: { name: 'arow', | } }"), optionsOf('arow')],
  ['the fields as a label', "import { rows } from 'halfspace';\nrows([{ a: 1, b: 2 }], { label: '|' });", ['a', 'b']],
  [
    'the fields in a label',
    "import { rows } from 'halfspace';\nrows([{ a: 1, b: 2 }], { label: (row) => String(row.|) });",
    ['a', 'b'],
  ],
];
