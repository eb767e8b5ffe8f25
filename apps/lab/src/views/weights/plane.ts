import { vectorAt } from '../../engine/examples.ts';
import type { Moment } from '../../engine/recording.ts';
import { subscript } from '../../picture/numbers.ts';
import { cacheOf } from '../cache.ts';
import type { Scene } from '../view.ts';

/** A component of w: its position in snapshots (the bias is first), and its name. */
export interface Component {
  readonly at: number;
  readonly name: string;
}

/** The two components that are drawn, and the others. */
export interface Components {
  readonly drawn: readonly [horizontal: Component, vertical: Component];
  /** Other components, which keep their present values. */
  readonly rest: readonly Component[];
  /** True if there are further components, of features that the plane does not show. */
  readonly more: boolean;
}

/** The constraint y⟨w, z⟩ ≥ 0 of an example in the plane of two components: a·u + b·v + c ≥ 0. */
export interface Constraint {
  readonly row: number;
  readonly label: -1 | 1;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** y⟨w, z⟩ at the present w. */
  readonly slack: number;
}

/** Returns the components of a choice: w1w2, w1b or w2b, where w1 and w2 belong to the features of the plane. */
export function componentsOf({ examples, look }: Scene, choice = 'w1w2'): Components {
  const { dimension } = examples;
  const bias: Component = { at: 0, name: 'b' };
  const weight = (feature: number): Component => ({ at: feature + 1, name: `w${subscript(feature + 1)}` });
  if (dimension < 2) return { drawn: [dimension === 1 ? weight(0) : bias, bias], rest: [], more: false };
  const [h, v] = look.plane.kind === 'features' ? [look.plane.horizontal, look.plane.vertical] : [0, 1];
  const [first, second] = [weight(Math.min(h, dimension - 1)), weight(Math.min(v, dimension - 1))];
  const drawn =
    choice === 'w1b'
      ? ([first, bias] as const)
      : choice === 'w2b'
        ? ([second, bias] as const)
        : ([first, second] as const);
  // Only components of the plane's features are named.
  return { drawn, rest: [bias, first, second].filter((each) => !drawn.includes(each)), more: dimension > 2 };
}

const cached = cacheOf<Moment, readonly Constraint[]>(1);

/** Returns the half-planes of the drawn examples, in the section of weight space through the present w. */
export function constraintsOf(scene: Scene, components: Components, w: Float64Array): readonly Constraint[] {
  const key = components.drawn.map(({ at }) => at).join();
  return cached(scene.moment, () => halfPlanes(scene, components, w), key);
}

function halfPlanes({ examples, recording }: Scene, { drawn }: Components, w: Float64Array): Constraint[] {
  const { shown, labels, dimension } = examples;
  const { divisor, biasConstant } = recording;
  const [horizontal, vertical] = drawn;
  return Array.from(shown, (row, k) => {
    const x = vectorAt(examples, k);
    const y = labels[row]! > 0 ? 1 : -1;
    let score = w[0]! * biasConstant;
    for (let j = 0; j < dimension; j++) score += w[j + 1]! * (x[j]! / divisor);
    const z = ({ at }: Component) => y * (at === 0 ? biasConstant : x[at - 1]! / divisor);
    const [a, b] = [z(horizontal), z(vertical)];
    return { row, label: y, a, b, c: y * score - a * w[horizontal.at]! - b * w[vertical.at]!, slack: y * score };
  });
}
