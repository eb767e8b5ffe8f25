import type { Failure } from './engine.ts';

/** The error of a call that a newer call has ended; its result is not needed. */
export class Superseded extends Error {
  readonly code = 'superseded';
}

/** Tests if an error means that a newer call ended this one; it works on both sides of the worker. */
export function isSuperseded(error: unknown): boolean {
  return (error as Failure | null)?.code === 'superseded';
}

/** Runs `work`. If the signal is aborted, throws {@link Superseded} instead of its result or error. */
export async function superseding<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    if (!signal.aborted) return result;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  throw new Superseded('A newer call has ended this one.');
}
