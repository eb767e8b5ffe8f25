import { quote } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { linearModel, unreadable } from './linear-model.ts';

/** LIBLINEAR's solvers for classes. The others are for regression and for one class. */
const classifiers =
  /^(?:L2R_LR|L2R_L2LOSS_SVC_DUAL|L2R_L2LOSS_SVC|L2R_L1LOSS_SVC_DUAL|MCSVM_CS|L1R_L2LOSS_SVC|L1R_LR|L2R_LR_DUAL)$/;
/** Weights fill the memory of kernels beyond this. */
const mostNumbers = 2 ** 28;

/**
 * Reads a model file of LIBLINEAR. The labels become the names of the classes, the features keep their numbers.
 *
 * @param source name of the file, for messages.
 * @throws HalfspaceError `model-invalid` for other files, models for regression, and numbers that are not finite.
 * @see Fan, Chang, Hsieh, Wang & Lin, LIBLINEAR: a library for large linear classification, JMLR 9, 2008.
 */
export function fromLiblinear(text: string, source?: string): Model {
  const [head, body] = split(text, source);
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1]?.trim();
  const solver = field('solver_type') ?? '';
  if (!classifiers.test(solver)) throw unreadable(source, 'a model for classes', `the solver ${quote(solver)}`);
  const count = (name: string) => {
    const word = field(name) ?? '';
    const value = Number(word);
    if (!/^\d+$/.test(word) || value > mostNumbers) throw unreadable(source, `${name}, a whole number`, quote(word));
    return value;
  };
  const classCount = count('nr_class');
  const width = count('nr_feature');
  const labels = (field('label') ?? '').split(/\s+/).filter((word) => word !== '');
  if (classCount < 2 || labels.length !== classCount)
    throw unreadable(source, 'two labels or more, one per class', `${labels.length} for ${classCount} classes`);
  const odd = labels.find((label) => !/^-?\d+$/.test(label));
  if (odd !== undefined) throw unreadable(source, 'labels that are whole numbers', quote(odd));
  const bias = Number(field('bias') ?? Number.NaN);
  if (!Number.isFinite(bias)) throw unreadable(source, 'bias, a number', quote(field('bias')));
  // The method of Crammer and Singer has a function for each of two classes.
  const perRow = classCount === 2 && solver !== 'MCSVM_CS' ? 1 : classCount;
  const rows = width + (bias >= 0 ? 1 : 0);
  if (rows * perRow > mostNumbers) throw unreadable(source, `at most ${mostNumbers} weights`, `${rows * perRow}`);
  const numbers = numbersOf(body, rows * perRow, source);
  const functions = Array.from({ length: perRow }, (_, k) => {
    const weights = new Array<number>(width + 1).fill(0);
    for (let j = 0; j < width; j++) weights[j + 1] = numbers[j * perRow + k]!;
    return { weights, bias: bias >= 0 ? numbers[width * perRow + k]! * bias : 0 };
  });
  const features = { kind: 'indexed', dimension: width + 1, firstIndex: 1 } as const;
  if (classCount > 2) return linearModel({ source, classes: labels, functions, features });
  // A score above 0 is for the first label. Two functions become their difference.
  const [first, second] = functions;
  const difference =
    second === undefined
      ? first!
      : { weights: first!.weights.map((weight, j) => weight - second.weights[j]!), bias: first!.bias - second.bias };
  return linearModel({ source, classes: [labels[1]!, labels[0]!], functions: [difference], features });
}

/** Splits the file before its weights. */
function split(text: string, source: string | undefined): [string, string] {
  const at = /^w\s*$/m.exec(text);
  if (!text.startsWith('solver_type') || at === null)
    throw unreadable(source, "LIBLINEAR's model file, which begins with solver_type", 'another file');
  return [text.slice(0, at.index), text.slice(at.index + at[0].length)];
}

function numbersOf(body: string, count: number, source: string | undefined): number[] {
  const words = body.split(/\s+/).filter((word) => word !== '');
  if (words.length !== count) throw unreadable(source, `${count} weights`, `${words.length}: the file is cut or mixed`);
  return words.map((word) => {
    const value = Number(word);
    if (!Number.isFinite(value)) throw unreadable(source, 'weights that are finite numbers', quote(word));
    return value;
  });
}
