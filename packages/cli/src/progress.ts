import type { SingleBar } from 'cli-progress';
import type { TrainProgress } from 'halfspace';
import type { MarginBracket } from 'halfspace/margins';
import { printable } from 'halfspace/printable';
import type { Input } from './data/opened.ts';
import { above, below } from './report/format.ts';
import { printNotes } from './standard-error.ts';
import { terminal } from './terminal.ts';

/** Shows the progress of a run on a terminal. In a pipe, it only notes that a run will take days. */
export interface Progress {
  train(progress: TrainProgress): void;
  /** Shows the bounds on the largest margin; undefined if nothing is shown, because the bounds take time to compute. */
  readonly bracket: ((bracket: MarginBracket) => void) | undefined;
  /** Number of runs of the search that are done. */
  search(done: number, of: number): void;
  /** Stage of a search, and the share of its time that has passed. */
  stage(share: number, text: string): void;
  /** Number of rows read so far, for commands that read once. */
  rows(count: number): void;
  stop(): void;
}

const redrawMs = 100;

/** Returns the progress bar. @param quiet true: there is no bar. */
export function createProgress(input: Pick<Input, 'bytes' | 'bytesRead'>, quiet: boolean): Progress {
  const noteLength = lengthNote();
  if (quiet || terminal(2) === null)
    return { train: noteLength, bracket: undefined, search() {}, stage() {}, rows() {}, stop() {} };
  const started = performance.now();
  let drawn = 0;
  let loading = false;
  let startBar: (() => SingleBar) | null = null;
  let bar: SingleBar | null = null;
  let shown = 0;
  let shownBefore = 0;
  let pass = 1;
  let margins = '';

  const draw = (share: number, what: string) => {
    const now = performance.now();
    if (now - drawn < redrawMs || now - started < 3 * redrawMs) return;
    drawn = now;
    // Loaded late, because most runs end before there is anything to show. Without the package there is no bar.
    if (!loading) {
      loading = true;
      loadBar().then(
        (loaded) => {
          startBar = loaded;
        },
        () => {},
      );
    }
    if (startBar === null) return;
    bar ??= startBar();
    const left = share > 0.01 && share < 1 ? `${duration(((now - started) / 1000) * (1 / share - 1))} left, ` : '';
    bar.update(Math.min(1, share), { what: left + printable(what) });
  };
  const readShare = () => (input.bytes === null ? 0 : input.bytesRead / input.bytes);
  const perSecond = (rows: number) => `${count((rows / (performance.now() - started)) * 1000)}/s`;

  return {
    train(progress) {
      noteLength(progress);
      if (progress.phase !== 'training') {
        const { phase, done, of } = progress;
        const place = `${count(done)}/${count(of)}`;
        const runs = () => `run ${place} of the ${phase === 'search' ? 'search for a rule' : phase}`;
        draw(done / of, phase === 'classes' ? `${place} classes` : runs());
        return;
      }
      if (progress.pass !== pass) {
        pass = progress.pass;
        shownBefore = shown;
      }
      shown = shownBefore + progress.rows;
      const { passes, rowsInPass, updates } = progress;
      const inPass = rowsInPass === null ? readShare() : progress.rows / rowsInPass;
      const share = passes === null ? inPass / 10 : (pass - 1 + inPass) / passes;
      const of = passes === null ? '' : `/${passes}`;
      draw(
        share,
        `pass ${pass}${of}, ${count(updates)} mistakes in it${margins}, ${count(shown)} rows (${perSecond(shown)})`,
      );
    },
    bracket({ lower, upper }) {
      margins = lower > 0 ? `, margin ${below(lower, 2)} to ${above(upper, 2)}` : `, margin at most ${above(upper, 2)}`;
    },
    search(done, of) {
      draw(done / of, `run ${count(done)}/${count(of)} of the search for a rule`);
    },
    stage: draw,
    rows(total) {
      draw(readShare(), `${count(total)} rows (${perSecond(total)})`);
    },
    stop() {
      bar?.stop();
    },
  };
}

/** Time in milliseconds before the time of a run is estimated, and the time left that is noted. */
const measuredMs = 2000;
const longMs = 24 * 3600 * 1000;

/** Returns a function that notes once, after the first pass, if the passes that were asked for will take days. */
function lengthNote(): (progress: TrainProgress) => void {
  const started = performance.now();
  let isNoted = false;
  return (progress) => {
    if (isNoted || progress.phase !== 'training' || progress.passes === null || progress.pass === 1) return;
    const passed = performance.now() - started;
    if (passed < measuredMs) return;
    isNoted = true;
    const { pass, passes } = progress;
    const left = (passed / (pass - 1)) * (passes - pass + 1);
    if (left < longMs) return;
    const days = Math.round(left / longMs).toLocaleString('en-US');
    void printNotes([
      `${passes.toLocaleString('en-US')} passes will take about ${days} ${days === '1' ? 'day' : 'days'}, unless a pass is clean (--passes N: fewer)`,
    ]);
  };
}

async function loadBar(): Promise<() => SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  return () => {
    const bar = new cliProgress.SingleBar({
      format: '{bar} {percentage}%  {what}',
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 16,
      barCompleteChar: '█',
      barIncompleteChar: '░',
      linewrap: false,
    });
    bar.start(1, 0, { what: '' });
    return bar;
  };
}

/** Returns a short number, such as `950` or `2.8M`. */
function count(value: number): string {
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
