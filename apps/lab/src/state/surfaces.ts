import type { Engine, SurfaceRequest } from '../engine/engine.ts';
import type { Recording } from '../engine/recording.ts';
import { prepareSurfaces } from '../views/plane/plane.ts';
import type { Surface } from '../views/view.ts';
import { LatestJob } from './latest-job.ts';

/** Minimum time between the starts of two surfaces in milliseconds, so that the page stays responsive. */
const leastBetweenSurfaces = 100;

/** The part of the lab that surfaces read and write. */
interface SurfacesState {
  readonly recording: Recording | null;
  surface: Surface | null;
}

/** Scores grids of the plane for boundaries that are not lines. The last grid stays until the next one is scored. */
export class Surfaces {
  readonly #engine: Engine;
  readonly #lab: SurfacesState;
  readonly #job = new LatestJob((newer) => this.#score(newer));
  #request: SurfaceRequest | null = null;
  /** The last request, and the run that it was for. */
  #last: { readonly recording: Recording | null; readonly key: string } = { recording: null, key: '' };

  constructor(engine: Engine, lab: SurfacesState) {
    this.#engine = engine;
    this.#lab = lab;
  }

  /** Scores a grid after the one in progress. Of several requests meanwhile, only the last is scored. */
  draw(request: SurfaceRequest): void {
    const { recording } = this.#lab;
    const key = JSON.stringify({ ...request, at: [...request.at] });
    if (this.#last.recording === recording && this.#last.key === key) return;
    this.#last = { recording, key };
    this.#request = request;
    void this.#job.request();
  }

  /** Scores a grid for a film; what the page shows stays. */
  async at(request: SurfaceRequest): Promise<Surface> {
    const { at: _, features: __, ...grid } = request;
    const { grid: scores, shown } = await this.#engine.surface(request);
    await prepareSurfaces();
    return { ...grid, scores, shown };
  }

  async #score(newer: AbortSignal): Promise<void> {
    const lab = this.#lab;
    const { recording } = lab;
    const began = performance.now();
    try {
      const surface = await this.at(this.#request!);
      if (lab.recording === recording) lab.surface = surface;
    } catch {
      // A newer run requests a new surface.
    }
    const rest = leastBetweenSurfaces - (performance.now() - began);
    if (newer.aborted && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
}
