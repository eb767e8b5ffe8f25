import type { SurfaceRequest } from '../../engine/engine.ts';
import type { Scene } from '../view.ts';
import type { Ground } from './ground.ts';

/** Maximum number of columns of a grid. */
const columns = 120;

/**
 * Returns the grid to score for a boundary that is no line; null: the boundary is a line, or the plane is not one of
 * two features.
 */
export function surfaceRequest(
  { recording, moment, examples }: Scene,
  { projection, axes }: Ground,
): SurfaceRequest | null {
  if (recording.present.length > 0 || projection.features === null || examples.dimension !== projection.origin.length)
    return null;
  const [width, height] = [axes.right - axes.left, axes.bottom - axes.top];
  if (!(width > 0 && height > 0)) return null;
  const rows = projection.kind === 'line' ? 2 : Math.max(2, Math.min(columns, Math.round((columns * height) / width)));
  const [halfX, halfY] = [width / columns / 2, height / rows / 2];
  return {
    step: recording.model.kind === 'tree' ? recording.steps : moment.step,
    features: projection.features,
    at: projection.origin,
    from: [axes.x.invert(axes.left + halfX), axes.y.invert(axes.bottom - halfY)],
    to: [axes.x.invert(axes.right - halfX), axes.y.invert(axes.top + halfY)],
    columns,
    rows,
  };
}
