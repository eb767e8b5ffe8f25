/**
 * Maps features to positions in a dense vector. Features below `mostNear` keep their number; each other one gets the
 * next free place. The vector is short even if a few features have very large numbers.
 */
export class FeaturePlaces {
  readonly #far = new Map<number, number>();
  readonly #features: number[] = [];
  #near = 0;

  /** Length of the vector. */
  get length(): number {
    return this.#features.length === 0 ? this.#near : mostNear + this.#features.length;
  }

  /** Returns the place of a feature, or −1. */
  placeOf(feature: number): number {
    return feature < mostNear ? feature : (this.#far.get(feature) ?? -1);
  }

  featureAt(place: number): number {
    return place < mostNear ? place : this.#features[place - mostNear]!;
  }

  /** Returns the place of a feature; assigns one if it has none. */
  take(feature: number): number {
    if (feature < mostNear) {
      if (feature >= this.#near) this.#near = feature + 1;
      return feature;
    }
    const known = this.#far.get(feature);
    if (known !== undefined) return known;
    const place = mostNear + this.#features.push(feature) - 1;
    this.#far.set(feature, place);
    return place;
  }
}

/** Features below this keep their number: 8 MiB of doubles. */
const mostNear = 1 << 20;
