import { dimensionOf } from '../features/dimension.ts';
import { parseEncoding } from '../features/parse-encoding.ts';
import { check, checkDistinct, list, type Members, number, oneOf, positive, readAs, texts, whole } from '../json.ts';
import { decodeLabelType, decodeOptions } from '../model/decode-file.ts';
import { digestOf } from '../model/digest.ts';
import type { DualFunction } from '../model/dual/function.ts';
import { type FileContents, openFile } from '../model/file-contents.ts';
import { strategies } from '../model/multiclass/model.ts';
import type { LearnerState } from '../rules/learner.ts';
import { decodeValue, encodeValue } from '../rules/learner-file.ts';
import type { MulticlassPerceptronState } from '../rules/multiclass-perceptron.ts';
import type { MultinomialState } from '../rules/multinomial.ts';
import type { OneVersusRestState } from '../rules/one-versus-rest.ts';
import { checkLearnerState, completeRuleOptions, type RuleOptions, rulesWith } from '../rules/registry.ts';
import { biasKinds, scalings } from './presets.ts';
import type { TrainState } from './train-state.ts';

const format = 'halfspace-state';
const version = 1;

/**
 * Returns the text of a state file: JSON, the same bytes for the same state. A digest detects changed or truncated
 * files.
 *
 * @example
 * const { state } = await train(csv('mails.csv'), { rule: 'perceptron', passes: 2, keepState: true });
 * const text = encodeTrainState(state);
 */
export function encodeTrainState(state: TrainState): string {
  const { rule, options, multiclass, bias, biasConstant, tie, scaling, divisor, classes, labelType, features } = state;
  const { seed, random, passes, learner } = state;
  const body = {
    ...{ format, version, rule, options, multiclass, bias, biasConstant, tie, scaling, divisor, classes },
    ...{ ...(labelType === undefined ? {} : { labelType }), features },
    ...{ seed, random, passes, learner: encodeValue(learner) },
  };
  return `${JSON.stringify({ ...body, digest: digestOf(body) })}\n`;
}

/**
 * Reads the result of {@link encodeTrainState}. Checks every number, so the file may be untrusted: a run can continue
 * from it, but its weights may be anything.
 *
 * @example
 * const { state } = await train(csv('mails.csv'), { rule: 'perceptron', passes: 2, keepState: true });
 * const from = decodeTrainState(encodeTrainState(state));
 * const { report } = await train(csv('mails.csv'), { rule: 'perceptron', from });
 *
 * @param file its text, the bytes of the text, or its parsed JSON, as a column `jsonb` of a database returns it.
 * @param source name of the file for messages.
 * @throws HalfspaceError `model-invalid` for a file of another kind, truncated, edited, or with impossible numbers.
 */
export function decodeTrainState(file: FileContents, source?: string): TrainState {
  return readAs({ code: 'model-invalid', source }, () => decode(file));
}

function decode(file: FileContents): TrainState {
  const kind = { name: 'state file', format, version, writer: 'encodeTrainState' };
  const from = openFile(file, kind);
  const rule = oneOf(from.rule, 'rule', rulesWith('create'));
  const stored = decodeOptions(from.options);
  const options: RuleOptions = completeRuleOptions(rule, stored as object);
  const isComplete = Object.keys({ ...options, ...stored }).every((name) => options[name] === stored[name]);
  check(isComplete, 'options', 'complete', stored);
  const classes = texts(from.classes, 'classes');
  check(classes.length >= 2, 'classes', 'two names or more', classes);
  checkDistinct(classes, 'classes', 'each name once');
  const random = list(from.random, 'random', 4).map((word) => whole(word, 'random', 0, 2 ** 32 - 1));
  check(random.length === 4 && random.some((word) => word !== 0), 'random', 'four numbers, not all 0', random);
  const state: TrainState = {
    rule,
    options,
    multiclass: oneOf(from.multiclass, 'multiclass', [...strategies, null]),
    bias: oneOf(from.bias, 'bias', biasKinds),
    biasConstant: number(from.biasConstant, 'biasConstant', 0),
    tie: oneOf(from.tie, 'tie', [-1, 1]),
    scaling: oneOf(from.scaling, 'scaling', scalings),
    divisor: positive(from.divisor, 'divisor'),
    classes,
    labelType: decodeLabelType(from.labelType),
    features: parseEncoding(from.features),
    seed: whole(from.seed, 'seed'),
    random,
    passes: whole(from.passes, 'passes'),
    learner: checkLearnerState(decodeValue(from.learner)),
  };
  checkParts(state);
  return state;
}

/** Checks that the learner is of the rule, the classes and the features of its state. */
function checkParts({ rule, multiclass, classes, features, learner, scaling, divisor }: TrainState): void {
  check(learner.rule === rule, 'learner', `of the rule ${rule}`, learner.rule);
  check(scaling !== 'none' || divisor === 1, 'divisor', '1 without scaling', divisor);
  const parts = learner as unknown as Members;
  const kind =
    'machines' in parts ? 'one-vs-rest' : 'classes' in parts ? 'kesler' : 'outputs' in parts ? 'joint' : null;
  check(multiclass === kind, 'multiclass', `${kind}, as the learner is`, multiclass);
  const outputs =
    kind === 'one-vs-rest'
      ? (learner as OneVersusRestState).machines.length
      : kind === 'kesler'
        ? (learner as MulticlassPerceptronState).classes.length
        : kind === 'joint'
          ? (learner as MultinomialState).outputs
          : 2;
  check(outputs === classes.length, 'classes', `${outputs}, as the learner has`, classes.length);
  const [most, known] = [largestFeature(learner), dimensionOf(features)];
  check(most <= known, 'learner', `of at most ${known} features`, most);
}

/** Returns the exclusive upper bound of the features that a learner knows. */
function largestFeature(state: LearnerState): number {
  if ('machines' in state) return Math.max(0, ...(state as OneVersusRestState).machines.map(largestFeature));
  if ('classes' in state || 'outputs' in state)
    return (state as MulticlassPerceptronState | MultinomialState).dimension;
  const { weights, dual } = state as unknown as { readonly weights?: Float64Array; readonly dual?: DualFunction };
  return Math.max(weights?.length ?? 0, dual?.support.dimension ?? 0);
}
