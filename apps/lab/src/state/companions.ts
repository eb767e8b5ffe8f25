import { type Companion, type CompanionRequest, companionKey, timeOf } from '../engine/companion.ts';
import type { Engine } from '../engine/engine.ts';
import type { Recording } from '../engine/recording.ts';
import { isSuperseded } from '../engine/superseded.ts';
import { LatestJob } from './latest-job.ts';

/** The part of the lab that companions read and write. */
interface CompanionsState {
  readonly recording: Recording | null;
  readonly isRunning: boolean;
  /** The runs beside the shown one that are known, by their keys; null: such a run failed. */
  companions: Readonly<Record<string, Companion | null>>;
  /** Keys of the runs that shown views need. */
  accompanied: readonly string[];
  /** Called when the end of the timeline may have changed. */
  rejoin(): void;
}

/** Makes the runs that shown views need beside the run: one at a time, and none during a run. */
export class Companions {
  readonly #wishes = new Set<{ readonly request: CompanionRequest }>();
  readonly #engine: Engine;
  readonly #lab: CompanionsState;
  readonly #job = new LatestJob(() => this.#make());

  constructor(engine: Engine, lab: CompanionsState) {
    this.#engine = engine;
    this.#lab = lab;
  }

  /** Makes a run now and after every run, until the returned function is called. */
  want(request: CompanionRequest): () => void {
    const wish = { request };
    this.#wishes.add(wish);
    this.#tell();
    this.refresh();
    return () => {
      this.#wishes.delete(wish);
      this.#tell();
    };
  }

  /** Makes the runs that are wanted and not known. Call it after every run. */
  refresh(): void {
    void this.#job.request();
  }

  #tell(): void {
    this.#lab.accompanied = [...new Set(Array.from(this.#wishes, ({ request }) => companionKey(request)))];
    this.#lab.rejoin();
  }

  async #make(): Promise<void> {
    const lab = this.#lab;
    const { recording } = lab;
    for (const { request } of [...this.#wishes]) {
      const key = companionKey(request);
      if (recording === null || lab.isRunning || lab.recording !== recording) return;
      if (lab.companions[key] !== undefined) continue;
      const made = await this.#engine.companion(request).catch((error) => (isSuperseded(error) ? undefined : null));
      if (made === undefined || lab.recording !== recording) continue;
      lab.companions = { ...lab.companions, [key]: made };
      lab.rejoin();
    }
  }
}

/** Returns a run that goes on, for the timeline, until the last of its companions is over. */
export function accompaniedRun(recording: Recording, companions: readonly Companion[]): Recording {
  const longest = companions
    .map(timeOf)
    .reduce((a, b) => (b.steps > a.steps ? b : a), recording as ReturnType<typeof timeOf>);
  if (longest.steps === recording.steps) return recording;
  const joined = (own: Uint32Array, others: Uint32Array) =>
    Uint32Array.of(...own, ...others.filter((step) => step > recording.steps));
  return {
    ...recording,
    steps: longest.steps,
    updates: joined(recording.updates, longest.updates),
    passes: joined(recording.passes, longest.passes),
  };
}
