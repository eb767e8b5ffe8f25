import { HalfspaceError, quote } from '../../errors.ts';
import { isObject, members, oneOf } from '../../json.ts';
import { Adwin, type AdwinOptions } from './adwin.ts';
import type { DriftDetector } from './detector.ts';
import { PageHinkley, type PageHinkleyOptions } from './page-hinkley.ts';

/** A detector by its name, alone or with its options: `'adwin'` or `{ name: 'adwin', delta: 0.01 }`. */
export type DriftOption =
  | 'adwin'
  | 'page-hinkley'
  | ({ readonly name: 'adwin' } & AdwinOptions)
  | ({ readonly name: 'page-hinkley' } & PageHinkleyOptions);

const names = ['adwin', 'page-hinkley'] as const;

/** Returns a new detector. @throws HalfspaceError `option-invalid`. */
export function createDetector(option: DriftOption): DriftDetector {
  const { name, ...options } = typeof option === 'string' ? { name: option } : { ...option };
  if (name === 'adwin') return new Adwin(options);
  if (name === 'page-hinkley') return new PageHinkley(options);
  throw new HalfspaceError('option-invalid', `drift must be one of ${names.join(', ')}; got ${quote(name ?? option)}`);
}

/**
 * Returns a detector that goes on from a state, which may come from an untrusted file.
 *
 * @throws HalfspaceError `model-invalid` for anything else than a state of a detector.
 */
export function restoreDetector(state: unknown): DriftDetector {
  const name = oneOf(isObject(state) ? state.name : undefined, 'drift.name', names);
  if (name === 'adwin') return Adwin.from(members(state, 'drift', adwinMembers));
  return PageHinkley.from(members(state, 'drift', pageHinkleyMembers));
}

const adwinMembers = ['name', 'delta', 'checkEvery', 'direction', 'untested', 'exponents', 'sums', 'squares'];
const pageHinkleyMembers = [
  ...['name', 'delta', 'threshold', 'burnIn', 'alpha', 'direction'],
  ...['values', 'total', 'rise', 'least', 'fall', 'most'],
];
