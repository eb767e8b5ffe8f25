/**
 * For the other packages of this repository: checks of JSON, which name the member that does not fit.
 * @module
 */

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
