import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { Examples } from '../../src/engine/examples.ts';
import { Superseded } from '../../src/engine/superseded.ts';
import type { Verdict } from '../../src/engine/verdict.ts';
import { Extras, type ExtrasState } from '../../src/state/extras.ts';
import { VerdictSearch, type VerdictState } from '../../src/state/verdict-search.ts';
import { deferred } from '../support/deferred.ts';
import { clouds, makeScene } from '../support/make-scene.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve));

function verdictSearch() {
  const answers: ReturnType<typeof deferred<Verdict>>[] = [];
  const state: VerdictState & { examples: Examples | null } = { examples: null, verdict: null, judging: null };
  const tells: ((text: string) => void)[] = [];
  const verdict: Engine['verdict'] = (tell) => {
    tells.push(tell);
    answers.push(deferred<Verdict>());
    return answers.at(-1)!.promise;
  };
  return { answers, tells, state, search: new VerdictSearch({ verdict } as Engine, state) };
}

const examples = (rows: number) => ({ rows }) as Examples;
const undecided: Verdict = { kind: 'undecided', upper: 1, why: 'A test.' };

describe('the search for a verdict', () => {
  it('holds no newer run up, and goes on for the same examples', async () => {
    const { answers, tells, state, search } = verdictSearch();
    state.examples = examples(3);
    const newer = new AbortController();
    const first = search.find(newer.signal);
    tells[0]!('Looking…');
    expect(state.judging).toBe('Looking…');
    newer.abort();
    await first;
    const second = search.find(new AbortController().signal);
    expect(answers).toHaveLength(1);
    answers[0]!.resolve(undecided);
    await second;
    expect([state.verdict, state.judging]).toEqual([undecided, null]);
  });

  it('drops what it hears of examples that are no longer shown', async () => {
    const { answers, tells, state, search } = verdictSearch();
    state.examples = examples(3);
    const first = search.find(new AbortController().signal);
    state.examples = examples(4);
    tells[0]!('Looking…');
    answers[0]!.resolve(undecided);
    await first;
    expect([state.verdict, state.judging]).toEqual([null, null]);
  });

  it('says why it failed, and searches anew after it was superseded', async () => {
    const { answers, state, search } = verdictSearch();
    state.examples = examples(3);
    const first = search.find(new AbortController().signal);
    answers[0]!.reject(new Superseded('newer'));
    await first;
    expect(state.verdict).toBeNull();
    const second = search.find(new AbortController().signal);
    answers[1]!.reject(new Error('No memory.'));
    await second;
    expect(state.verdict).toEqual({ kind: 'undecided', upper: null, why: 'No memory.' });
  });
});

describe('what views need besides the run', () => {
  it('is computed only while it is wanted, not during a run, and once for each run', async () => {
    const { recording, algorithm } = await makeScene(clouds(6, 2));
    const asked: string[] = [];
    const engine = {
      curve: async () => {
        asked.push('curve');
        return [];
      },
      tree: async () => {
        asked.push('tree');
        throw new Error('none');
      },
    } as unknown as Engine;
    const state: { -readonly [K in keyof ExtrasState]: ExtrasState[K] } = {
      algorithm,
      recording,
      isRunning: true,
      curve: null,
      tree: undefined,
    };
    const extras = new Extras(engine, state);
    const stop = extras.want('curve');
    await turn();
    expect(asked).toEqual([]);
    state.isRunning = false;
    extras.refresh();
    extras.want('tree');
    await turn();
    expect(asked).toEqual(['curve', 'tree']);
    expect([state.curve, state.tree]).toEqual([[], null]);
    extras.refresh();
    await turn();
    stop();
    Object.assign(state, { recording: { ...recording }, curve: null, tree: undefined });
    extras.refresh();
    await turn();
    expect(asked).toEqual(['curve', 'tree', 'tree']);
  });
});
