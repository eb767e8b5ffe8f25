import { ruleSpecs } from '../algorithm/rules.constant.ts';
import type { Engine } from '../engine/engine.ts';
import { evaluate, namesIn, type Outcome } from './expression.ts';
import { findStep } from './find-step.ts';
import { type Facts, lookUp } from './quantities.ts';
import { algorithmOf, datasetOf } from './scene.ts';
import { type ScenePart, type Section, scenesOf } from './tour.ts';

/** Tests if the claims of a scene name quantities of the learning curve. */
export function needsCurve({ claims }: ScenePart): boolean {
  return claims.some(({ expression }) => /\b(?:best|last)heldout\b/.test(expression));
}

/** Runs scenes on an engine beside the page's own, and caches the results. */
export class Measure {
  readonly #engine: Engine;
  readonly #known = new Map<ScenePart, Promise<Facts>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Returns the facts of a scene as it is written. */
  factsOf(scene: ScenePart): Promise<Facts> {
    const known = this.#known.get(scene);
    if (known !== undefined) return known;
    // Scenes run one after the other, because an engine has one dataset open.
    const facts = this.#last.then(() => this.#run(scene));
    this.#last = facts.catch(() => {});
    this.#known.set(scene, facts);
    return facts;
  }

  /**
   * Evaluates an expression of a section, about one of its scenes (default: the first), with the scenes as they are
   * written.
   */
  async evaluate(expression: string, section: Section, about?: ScenePart): Promise<Outcome> {
    const scenes = scenesOf(section);
    const needed = new Map<string | null, Facts | null>();
    const own = about ?? scenes[0];
    for (const name of namesIn(expression)) {
      const of = name.includes('.') ? name.split('.')[0]! : null;
      if (needed.has(of)) continue;
      const scene = of === null ? own : scenes.find((scene) => scene.name === of);
      if (scene === undefined) throw new Error(`expected a scene of “${section.heading}”; got “${of}”`);
      needed.set(of, await this.factsOf(scene));
    }
    return evaluate(expression, (name, index, of) => lookUp(needed.get(of) ?? null, name, index));
  }

  async #run(scene: ScenePart): Promise<Facts> {
    const dataset = await datasetOf(scene.data);
    const algorithm = algorithmOf(scene);
    const examples = await this.#engine.open(dataset);
    const recording = await this.#engine.run(algorithm, () => {});
    const verdict = !ruleSpecs[algorithm.rule].hasHyperplanes ? null : await this.#engine.verdict(() => {});
    const curve = needsCurve(scene) ? await this.#engine.curve(algorithm) : null;
    return {
      dataset,
      algorithm,
      examples,
      recording,
      verdict,
      curve,
      step: findStep(scene.step, recording, examples),
      space: scene.space,
    };
  }
}
