import type { LeadCalibration } from '../model/calibration.ts';
import { lead } from '../model/lead.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import { fitIsotonic } from './isotonic.ts';

/** Returns the lead of one class in every example. @param own position of the class. */
export function leadsOf({ outputs, scores, labels }: ScoredExamples, own: number): Float64Array {
  return labels.map((_, i) => lead(scores, i * outputs, outputs, own));
}

/**
 * Fits one increasing curve for all classes: the frequency with which a class is the true one, by its lead. Every
 * example counts once for each class. Because one curve serves all classes, the class with the highest score stays a
 * most probable one (Zhang, Kailkhura & Han, "Mix-n-match: ensemble and compositional methods for uncertainty
 * calibration in deep learning", 2020, there on probabilities).
 *
 * @param scored examples of K > 2 classes that the model has not learned from, with finite scores.
 * @throws HalfspaceError as {@link fitIsotonic}.
 */
export function fitLeads(scored: ScoredExamples): LeadCalibration {
  const { outputs, labels } = scored;
  const rows = labels.length;
  const leads = new Float64Array(rows * outputs);
  const isOwn = new Float64Array(rows * outputs);
  for (let k = 0; k < outputs; k++) {
    leads.set(leadsOf(scored, k), k * rows);
    isOwn.set(
      labels.map((label) => (label === k ? 1 : -1)),
      k * rows,
    );
  }
  const { scores, probabilities } = fitIsotonic(leads, isOwn);
  return { kind: 'isotonic-leads', leads: scores, probabilities };
}
