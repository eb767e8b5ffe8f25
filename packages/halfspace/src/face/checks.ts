/**
 * Checks of data from outside, such as files of state: each names the member that does not fit, and what came. Also the
 * words of such messages. For packages that read files of their own; may change with a minor version.
 * @module
 */

export { quote, quoteNames } from '../errors.ts';
export { nearestName } from '../features/nearest.ts';
export {
  type Check,
  check,
  checkDistinct,
  finite,
  flag,
  isObject,
  list,
  listOf,
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
  whole,
  within,
} from '../json.ts';
export { checkDoubles } from '../rules/learner-state.ts';
export { isTooDeep } from '../table/json/object.ts';
