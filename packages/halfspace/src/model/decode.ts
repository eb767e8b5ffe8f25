import { HalfspaceError } from '../errors.ts';
import { parseEncoding } from '../features/parse-encoding.ts';
import { classNames } from '../features/table-label.ts';
import { check, checkDistinct, isObject, members, number, oneOf, readAs, text, texts, unfit, whole } from '../json.ts';
import type { ModelCommon, TrainingRecord } from './common.ts';
import { decodeCalibration } from './decode-calibration.ts';
import { checkDigest, type Sha256 } from './digest.ts';
import { modelFormat, modelVersion } from './encode.ts';
import { decoders } from './kinds.ts';
import type { Model } from './model.ts';

/**
 * Reads the text of a model file. Runs no code from it, and refuses anything that is not valid.
 *
 * @param source name of the file for messages.
 * @param hash a SHA-256 that is faster than the one in plain TypeScript, if the runtime has one.
 * @throws HalfspaceError `model-invalid`: not a model, truncated, edited, or from a newer version.
 */
export function decodeModel(json: string, source?: string, hash?: Sha256): Model {
  return readAs({ source }, () => decode(json, hash));
}

function decode(json: string, hash: Sha256 | undefined): Model {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const cut = json.trimStart().startsWith('{') && !json.trimEnd().endsWith('}');
    throw refused(
      cut ? 'expected a whole model file; got one that is cut short' : 'expected a model file (JSON); got other text',
    );
  }
  if (!isObject(value) || value.format !== modelFormat)
    throw refused(`expected a model file ("format": "${modelFormat}"); got other JSON`);
  if (typeof value.version === 'number' && value.version > modelVersion)
    throw refused(
      `expected a model of version ${modelVersion} or older; got version ${value.version}: a newer halfspace wrote it`,
    );
  oneOf(value.version, 'version', [1, 2]);
  checkDigest(value, hash);

  const classes = texts(value.classes, 'classes');
  check(classes.length >= 2, 'classes', 'two names or more', classes);
  checkDistinct(classes, 'classes', 'each name once');
  // Version 1 had one kind of model, and stored neither the rule's options nor a calibration.
  const first = value.version === 1;
  const features = parseEncoding(value.features);
  if (features.kind === 'table') {
    const names = classNames(features.label);
    const same = names.length === classes.length && names.every((name, k) => name === classes[k]);
    check(same, 'classes', `those of the column ${features.label.column}: ${names.join(', ')}`, classes);
  }
  const common = {
    classes,
    rule: text(value.rule, 'rule'),
    options: first ? {} : decodeOptions(value.options),
    as: value.as === null ? null : text(value.as, 'as'),
    features,
    training: decodeTraining(value.training),
    calibration: first ? null : decodeCalibration(value.calibration, classes.length === 2 ? 1 : classes.length),
  };
  const kind = first ? 'linear' : oneOf(value.kind, 'kind', Object.keys(decoders) as Model['kind'][]);
  return decoders[kind](value, common);
}

/** Reads the options of a rule from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function decodeOptions(value: unknown): ModelCommon['options'] {
  const options = members(value, 'options');
  for (const [name, option] of Object.entries(options))
    if (typeof option !== 'string' && typeof option !== 'boolean' && !Number.isFinite(option))
      throw unfit(`options.${name}`, 'a number, text, true or false', option);
  return options as ModelCommon['options'];
}

function decodeTraining(value: unknown): TrainingRecord {
  const from = members(value, 'training');
  const share = (name: string) => (from[name] === null ? null : number(from[name], `training.${name}`, 0, 1));
  return {
    examples: whole(from.examples, 'examples'),
    features: whole(from.features, 'features'),
    nonzeros: whole(from.nonzeros, 'nonzeros'),
    passes: whole(from.passes, 'passes'),
    updates: whole(from.updates, 'updates'),
    order: text(from.order, 'order'),
    seed: whole(from.seed, 'seed'),
    stop: text(from.stop, 'stop'),
    separated: oneOf(from.separated, 'training.separated', [true, false, null]),
    progressiveAccuracy: share('progressiveAccuracy'),
    trainAccuracy: share('trainAccuracy'),
    holdoutAccuracy: share('holdoutAccuracy'),
  };
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
