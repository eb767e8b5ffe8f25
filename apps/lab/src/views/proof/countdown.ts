import { countText } from '../../picture/numbers.ts';
import type { Frame, Picture } from '../../picture/picture.ts';
import { remember } from '../cache.ts';
import { pathIndex } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { drawChart, updatesAxis } from './chart.ts';
import { type Proof, updatesLeft } from './quantities.ts';
import { allowance, terms } from './text.ts';

/** Draws the maximum number of updates still to come: by the theorem, and by its proof from the present weights. */
export function drawCountdown(scene: Scene, proof: Proof, frame: Frame): Picture {
  const { path } = proof;
  const most = proof.updates!;
  const index = pathIndex(path, scene);
  const made = path.counts.at(-1)!;
  const { granted, made: inFact } = countsLeft(proof);
  const [k, left] = [path.counts[index]!, leftOf(proof)];
  const stopped = ['separated', 'quiet'].includes(scene.recording.report.stop);
  return drawChart(frame, {
    horizontal: updatesAxis('updates k', 0, Math.max(made * 1.05, 3)),
    vertical: { from: 0, to: Math.max(1, most * 1.05), title: '', whole: true },
    readings: [
      { term: 'k', value: countText(k), role: 'muted' },
      {
        term: `⌊${terms(proof).ratio}⌋ − ${proof.start === 0 ? 'k' : '1 − k'}`,
        value: countText(most - k),
        role: 'bound',
      },
      { term: 'from here', value: countText(left[index]!), role: 'star', relation: '≥' },
      { term: stopped ? 'made by this run' : 'made so far', value: countText(made - k), role: 'line', relation: '≥' },
    ],
    caption: `The theorem allows ${allowance(scene, proof).allowed}; “from here” is what the same proof allows from the present w.`,
    curves: [
      { id: 'granted', label: 'allowed', role: 'bound', xs: path.counts, ys: granted },
      { id: 'from here', label: 'from here', role: 'star', xs: path.counts, ys: left },
      { id: 'made', label: 'made', role: 'line', xs: path.counts, ys: inFact },
    ],
    bounds: [],
    index,
  });
}

/**
 * Returns the largest number of updates that can follow each of the run's weights. A tiny tolerance keeps rounding
 * from making it too small.
 */
export const leftOf = remember(({ dots, norms, growth, star }: Proof) =>
  dots.map((dot, i) => Math.floor(updatesLeft(dot, norms[i]!, growth, star!.margin) * (1 + 1e-12) + 1e-9)),
);

/** Returns the theorem's number of updates left after each of the run's weights, and the number that the run made. */
const countsLeft = remember(({ path: { counts }, updates }: Proof) => ({
  granted: Float64Array.from(counts, (k) => updates! - k),
  made: Float64Array.from(counts, (k) => counts.at(-1)! - k),
}));
