import type { LabelType } from '../data/label.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { classNames } from '../features/table-label.ts';
import {
  type Check,
  check,
  checkDistinct,
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
import { type FileContents, openFile } from './file-contents.ts';
import { modelFormat, modelVersion } from './format.ts';
import type { Model } from './model.ts';

/** The parts of a reader of model files that differ between entries of the library. */
interface ModelReaders {
  readonly features: Check<FeatureEncoding>;
  /** Read the members that only models of a kind have. They throw HalfspaceError `model-invalid`. */
  readonly kinds: { readonly [K in Model['kind']]: (from: Members, common: DecodedCommon) => Model };
}

/** Reads a model file; see {@link decodeModel}. */
export function decodeBy(readers: ModelReaders, file: FileContents, source: string | undefined): Model {
  return readAs({ source }, () => decode(readers, file));
}

const kindOfFile = {
  ...{ name: 'model file', format: modelFormat, version: modelVersion, writer: 'encodeModel' },
} as const;

function decode({ features: readFeatures, kinds }: ModelReaders, file: FileContents): Model {
  const value = openFile(file, kindOfFile);
  const classes = texts(value.classes, 'classes');
  check(classes.length >= 2, 'classes', 'two names or more', classes);
  checkDistinct(classes, 'classes', 'each name once');
  const features = readFeatures(value.features, 'features');
  if (features.kind === 'table') {
    const names = classNames(features.label);
    const same = names.length === classes.length && names.every((name, k) => name === classes[k]);
    check(same, 'classes', `those of the column ${features.label.column}: ${names.join(', ')}`, classes);
  }
  const common = {
    classes,
    rule: text(value.rule, 'rule'),
    options: decodeOptions(value.options),
    as: nullable(text)(value.as, 'as'),
    ...(value.labelType === undefined ? {} : { labelType: decodeLabelType(value.labelType)! }),
    features,
    training: training(value.training, 'training'),
    calibration: decodeCalibration(value.calibration, classes.length),
  };
  const kind = oneOf(value.kind, 'kind', Object.keys(kinds) as Model['kind'][]);
  return kinds[kind](value, common);
}

/** Reads the type of labels; undefined: text. @throws HalfspaceError `model-invalid`. */
export function decodeLabelType(value: unknown): LabelType | undefined {
  return value === undefined ? undefined : oneOf(value, 'labelType', ['number', 'boolean', 'bigint'] as const);
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
