import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { classNames } from '../features/table-label.ts';
import {
  type Check,
  check,
  checkDistinct,
  isObject,
  type Members,
  maybe,
  members,
  nullable,
  number,
  oneOf,
  only,
  readAs,
  shape,
  text,
  texts,
  unfit,
  whole,
  within,
} from '../json.ts';
import type { DecodedCommon, ModelCommon } from './common.ts';
import { decodeCalibration } from './decode-calibration.ts';
import { checkDigest, type Sha256 } from './digest.ts';
import { modelFormat, modelVersion } from './format.ts';
import type { Model } from './model.ts';

/** The parts of a reader of model files that differ between entries of the library. */
export interface ModelReaders {
  readonly features: Check<FeatureEncoding>;
  /** Read the members that only models of a kind have. They throw HalfspaceError `model-invalid`. */
  readonly kinds: { readonly [K in Model['kind']]: (from: Members, common: DecodedCommon) => Model };
}

/** Reads the text of a model file; see {@link decodeModel}. */
export function decodeBy(
  readers: ModelReaders,
  json: string,
  source: string | undefined,
  hash: Sha256 | undefined,
): Model {
  return readAs({ source }, () => decode(readers, json, hash));
}

function decode({ features: readFeatures, kinds }: ModelReaders, json: string, hash: Sha256 | undefined): Model {
  if (typeof json !== 'string') throw refused(`expected the text of a model file; got ${quote(json)}`);
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
  const features = readFeatures(value.features, 'features');
  if (features.kind === 'table') {
    const names = classNames(features.label);
    const same = names.length === classes.length && names.every((name, k) => name === classes[k]);
    check(same, 'classes', `those of the column ${features.label.column}: ${names.join(', ')}`, classes);
  }
  const common = {
    classes,
    rule: text(value.rule, 'rule'),
    options: first ? {} : decodeOptions(value.options),
    as: nullable(text)(value.as, 'as'),
    features,
    training: training(value.training, 'training'),
    calibration: first ? null : decodeCalibration(value.calibration, classes.length === 2 ? 1 : classes.length),
  };
  const kind = first ? 'linear' : oneOf(value.kind, 'kind', Object.keys(kinds) as Model['kind'][]);
  return kinds[kind](value, common);
}

/** Reads the options of a rule from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function decodeOptions(value: unknown): ModelCommon['options'] {
  const options = members(value, 'options');
  for (const [name, option] of Object.entries(options))
    if (typeof option !== 'string' && typeof option !== 'boolean' && !Number.isFinite(option))
      throw unfit(`options.${name}`, 'a number, text, true or false', option);
  return options as ModelCommon['options'];
}

const share = nullable((value, path) => number(value, path, 0, 1));

const training = shape({
  examples: whole,
  features: whole,
  nonzeros: whole,
  passes: whole,
  updates: whole,
  order: text,
  seed: whole,
  stop: text,
  separated: only(true, false, null),
  progressiveAccuracy: share,
  trainAccuracy: share,
  holdoutAccuracy: share,
  shards: maybe(within(2)),
});

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
