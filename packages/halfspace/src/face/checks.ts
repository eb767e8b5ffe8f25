/**
 * Checks of data from outside, such as files of state: each names the member that does not fit, and what came. Also the
 * words of such messages. For packages that read files of their own; may change with a minor version.
 * @module
 */

export { quote } from '../errors.ts';
export { nearestName } from '../features/nearest.ts';
export { check, checkDistinct, flag, list, members, number, oneOf, readAs, text, texts, whole } from '../json.ts';
export { checkDoubles } from '../rules/learner-state.ts';
export { isTooDeep } from '../table/json/object.ts';
