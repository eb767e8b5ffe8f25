import type { SparseBatch } from '../batch.ts';

/**
 * Tests in exact arithmetic if some examples contradict each other: if numbers nᵢ ≥ 0, not all 0, exist with
 * Σ nᵢyᵢ(xᵢ, 1) = 0, so that no hyperplane separates them. `contradict` of halfspace-certify is such a test.
 *
 * @param candidates positions of at most 128 examples that seem to contradict each other, from 0, rising.
 */
export type ContradictionTest = (examples: SparseBatch, candidates: readonly number[]) => boolean | Promise<boolean>;
