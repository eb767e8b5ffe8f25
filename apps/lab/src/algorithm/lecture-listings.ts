import type { PresetName } from 'halfspace';
import { formula } from './formula.ts';
import { type ListingLine, lines } from './listing.ts';

/**
 * The lectures' algorithms, with their structure and symbols, in our own words. Errata are corrected
 * (docs/lectures.md).
 */
export const lectureListings: Readonly<Record<PresetName, readonly ListingLine[]>> = {
  'lecture-9': lines(
    ['start', 0, formula`w_0 \gets 0`],
    ['frame', 0, `<b>for</b> ${formula`t = 0, 1, \dots, \mathit{maxIter}`}`],
    ['next', 1, `${formula`i \gets`} one of ${formula`1, \dots, n`} at random`],
    ['test', 1, `<b>if</b> ${formula`y_i \cdot w_t^\top x_i \le 0`}`],
    ['update', 2, formula`w_{t+1} \gets w_t + y_i \cdot x_i`],
    ['otherwise', 1, `<b>else</b> ${formula`w_{t+1} \gets w_t`}`],
    ['frame', 1, 'stop after many draws in a row without an update'],
    ['return', 0, `<b>return</b> ${formula`w`}`],
  ),
  'lecture-9-algorithm-2': lines(
    ['start', 0, formula`w_0 \gets 0`],
    ['frame', 0, `<b>for</b> ${formula`t = 0, 1, \dots, \mathit{maxIter}`}`],
    ['next', 1, `${formula`i \gets`} one of ${formula`1, \dots, n`} at random`],
    ['always', 1, formula`w_{t+1} \gets w_t + \tfrac12 \bigl(y_i - \operatorname{sgn}(w_t^\top x_i)\bigr) \cdot x_i`],
    ['frame', 1, 'stop after many draws in a row without a change'],
    ['return', 0, `<b>return</b> ${formula`w`}`],
  ),
  cs4780: lines(
    ['frame', 0, `all ${formula`x_i`} into the unit ball: ${formula`x_i \gets x_i / \max_j \lVert x_j \rVert`}`],
    ['start', 0, formula`w \gets 0`],
    ['frame', 0, '<b>repeat</b>'],
    ['frame', 1, formula`m \gets 0`],
    ['next', 1, `<b>for</b> ${formula`(x_i, y_i) \in D`}`],
    ['test', 2, `<b>if</b> ${formula`y_i\,(w^\top x_i) \le 0`}`],
    ['update', 3, formula`w \gets w + y_i\,x_i`],
    ['update', 3, formula`m \gets m + 1`],
    ['return', 0, `<b>until</b> ${formula`m = 0`}`],
  ),
  foda: lines(
    ['frame', 0, formula`x_i \gets x_i / \lVert x_{\max} \rVert`],
    ['start', 0, `${formula`w \gets y_i\,x_i`} of any one example`],
    ['frame', 0, '<b>repeat</b>'],
    ['next', 1, `<b>for</b> any ${formula`(x_i, y_i)`}`],
    ['test', 1, `that is misclassified, ${formula`y_i \langle x_i, w \rangle < 0`}`],
    ['update', 2, formula`w \gets w + y_i\,x_i`],
    ['frame', 0, `<b>until</b> no misclassified point for ${formula`T`} steps`],
    ['return', 0, `<b>return</b> ${formula`w / \lVert w \rVert`}`],
  ),
  blog: lines(
    ['start', 0, `${formula`\theta \gets 0`}, ${formula`\theta_0 \gets 0`}`],
    ['frame', 0, '<b>repeat</b>'],
    ['frame', 1, 'done ← true'],
    ['next', 1, `<b>for</b> ${formula`i = 1, \dots, n`}`],
    ['test', 2, `<b>if</b> ${formula`y_i\,(\theta \cdot x_i + \theta_0) \le 0`}`],
    ['update', 3, formula`\theta \gets \theta + y_i\,x_i`],
    ['update', 3, formula`\theta_0 \gets \theta_0 + y_i`],
    ['update', 3, 'done ← false'],
    ['frame', 0, '<b>until</b> done'],
    ['return', 0, `<b>return</b> ${formula`(\theta, \theta_0)`}`],
  ),
  slides: lines(
    ['start', 0, `${formula`w_i \gets 0`} for all ${formula`i = 1, \dots, d`}`],
    ['start', 0, formula`b \gets 0`],
    ['frame', 0, `<b>for</b> ${formula`\mathit{iter} = 1, \dots, \mathit{MaxIter}`}`],
    ['next', 1, `<b>for all</b> ${formula`(\bar X, y) \in D`}`],
    ['next', 2, formula`a \gets \bar W^\top \bar X + b`],
    ['test', 2, `<b>if</b> ${formula`y \cdot a \le 0`}`],
    ['update', 3, `${formula`w_i \gets w_i + y \cdot x_i`} for all ${formula`i`}`],
    ['update', 3, formula`b \gets b + y`],
    ['return', 0, `<b>return</b> ${formula`b, w_1, \dots, w_d`}`],
  ),
};
