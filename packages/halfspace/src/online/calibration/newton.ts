import { logOnePlus } from '../../kernels/natural-log.ts';

/*
 * Newton's method over a window, a few rows at a time.
 *
 * A sweep adds up the gradient and the Hessian of a loss over the rows of the window; it ends with a step. With every
 * new row the sweep goes on by a few rows, so the cost of a row is bounded: there is no refit that one row waits for.
 */

/** Largest number of rows that a sweep visits with a new row. */
const most = 32;
/** Number of sweeps of the first fit. */
export const firstSweeps = 20;

/**
 * Returns the number of rows that a sweep visits with the next row: in the beginning more, when every row tells much.
 *
 * @param rows number of rows so far, above 0. @param early divided by `rows`, the result in the beginning.
 * @param least the result for many rows.
 */
export function pace(rows: number, early: number, least: number): number {
  return Math.min(most, Math.max(least, Math.floor(early / rows)));
}

/**
 * Returns the share of Newton's step that is taken: ln(1 + d)/d. The losses here are generalised self-concordant of
 * order 2, so a step of this share always decreases them, and it approaches 1 near the minimum. Sun & Tran-Dinh,
 * "Generalized self-concordant functions: a recipe for Newton-type methods", Mathematical Programming 178, 2019.
 *
 * @param d largest change of a row's exponent that the whole step makes.
 */
export function dampedShare(d: number): number {
  return d > 0 ? logOnePlus(d) / d : 1;
}
