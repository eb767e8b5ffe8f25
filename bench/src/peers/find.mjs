import { findHalfspace } from './halfspace.mjs';
import { findJavaScriptPeers } from './javascript.mjs';
import { findLiblinear } from './liblinear.mjs';
import { findScikitLearn } from './scikit-learn.mjs';
import { findVowpalWabbit } from './vowpal-wabbit.mjs';

/**
 * A program to compare with.
 *
 * @typedef {object} Peer
 * @property {string} title
 * @property {boolean} installed
 * @property {string} [version]
 * @property {string} install what a user types to get it
 */

/**
 * Looks for halfspace and for the peers asked for; the others are absent from the result.
 *
 * @param {{ peers: string[], halfspace: string[] | undefined }} options
 * @param {string | null} interpreter the Python to look in
 */
export function findPeers({ peers, halfspace }, interpreter) {
  const all = {
    vw: () => findVowpalWabbit(interpreter),
    liblinear: findLiblinear,
    sklearn: () => findScikitLearn(interpreter),
    wink: () => findJavaScriptPeers().wink,
    limdu: () => findJavaScriptPeers().limdu,
  };
  const found = Object.fromEntries(peers.map((name) => [name, all[name]()]));
  return { halfspace: findHalfspace(halfspace), ...found };
}
