import type { Algorithm } from '../../algorithm/algorithm.ts';
import { catalogue, choiceById, choiceOf, choose } from '../../algorithm/catalogue.ts';
import { ruleSpecs } from '../../algorithm/rules.constant.ts';
import type { Scene } from '../view.ts';

/** Changes of the shown algorithm itself: another order, another seed. */
const changes: readonly {
  readonly id: string;
  readonly title: string;
  readonly short: string;
  readonly change: Partial<Algorithm>;
}[] = [
  {
    id: 'shuffled-once',
    title: 'The same, shuffled once',
    short: 'shuffled once',
    change: { order: 'shuffled-once' },
  },
  {
    id: 'shuffled',
    title: 'The same, shuffled every pass',
    short: 'shuffled every pass',
    change: { order: 'shuffled' },
  },
  { id: 'random', title: 'The same, drawn at random', short: 'drawn at random', change: { order: 'random' } },
  { id: 'cyclic', title: 'The same, in turn', short: 'in turn', change: { order: 'cyclic' } },
];

/** The rivals that can be chosen, the default first. */
export const rivals: readonly { readonly id: string; readonly title: string }[] = [
  ...changes.map(({ id, title }) => ({ id, title })),
  ...catalogue.flatMap(({ choices }) => choices.map(({ id, title }) => ({ id, title }))),
];

const idOf = ({ look }: Pick<Scene, 'look'>): string => {
  const chosen = look.choices.compare;
  return rivals.some(({ id }) => id === chosen) ? chosen! : rivals[0]!.id;
};

/** Returns the rival's algorithm. Seed, held-out share and passes are those of the shown run. */
export function rivalOf(scene: Pick<Scene, 'look' | 'algorithm'>): Algorithm {
  const { algorithm } = scene;
  const id = idOf(scene);
  const changed = changes.find((each) => each.id === id);
  if (changed === undefined) return choose(choiceById(id), algorithm);
  return ruleSpecs[algorithm.rule].hasPasses ? { ...algorithm, ...changed.change } : algorithm;
}

/** Returns the names of the two runs: `Perceptron`, `Perceptron, shuffled once`. */
export function namesOf(scene: Pick<Scene, 'look' | 'algorithm'>): readonly [shown: string, rival: string] {
  const { title } = choiceOf(scene.algorithm);
  const id = idOf(scene);
  const change = changes.find((each) => each.id === id);
  return [title, change === undefined ? choiceById(id).title : `${title}, ${change.short}`];
}
