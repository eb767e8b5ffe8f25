import { HalfspaceError, quote } from '../errors.ts';
import { encodeNumbers } from '../numbers.ts';
import { digestOf } from './digest.ts';
import * as dual from './dual/encode.ts';
import { modelFormat, modelVersion } from './format.ts';
import * as linear from './linear/kind.ts';
import type { Model } from './model.ts';
import * as multiclass from './multiclass/kind.ts';
import * as tree from './tree/encode.ts';

type OfKind<K> = Extract<Model, { kind: K }>;

/**
 * Return the members of a model file that only this kind has, in the order of the file. Apart from `kinds.ts`, so that
 * a page that writes models does not load the code that grows and asks trees.
 */
const encoders: { readonly [K in Model['kind']]: (model: OfKind<K>) => object } = {
  linear: linear.encode,
  multiclass: multiclass.encode,
  dual: dual.encode,
  tree: tree.encode,
};

/**
 * Returns the text of a model file: JSON with one member per line, the same bytes for the same model. The last member
 * is the SHA-256 digest of the rest, in any order of its members (RFC 8785). It detects changed or truncated files; it
 * is not a signature.
 *
 * @example
 * const { model } = await train(csv('mails.csv'), { rule: 'perceptron' });
 * console.log(encodeModel(model).split('\n')[1]); //   "format": "halfspace-model",
 *
 * @throws HalfspaceError `option-invalid` for anything that is no model.
 */
export function encodeModel(model: Model): string {
  if (!Object.hasOwn(encoders, model?.kind) || 'format' in model)
    throw new HalfspaceError('option-invalid', `expected a model, such as { model } of train(…); got ${quote(model)}`);
  const body = {
    format: modelFormat,
    version: modelVersion,
    kind: model.kind,
    rule: model.rule,
    options: model.options,
    as: model.as,
    classes: model.classes,
    ...(model.labelType === undefined ? {} : { labelType: model.labelType }),
    ...(encoders[model.kind] as (model: Model) => object)(model),
    calibration: model.calibration,
    features: model.features,
    ...(model.means === undefined ? {} : { means: encodeNumbers(model.means) }),
    training: model.training,
  };
  const members = Object.entries({ ...body, digest: digestOf(body) });
  return `{\n${members.map(([name, member]) => `  "${name}": ${JSON.stringify(member)}`).join(',\n')}\n}\n`;
}
