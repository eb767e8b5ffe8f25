/**
 * Where features have their numbers in a dense vector: near features at their own positions, others one behind the other as they come. The
 * vector is then as long as there are features, also where few have very large positions.
 */
export class FeaturePlaces {
  readonly #far = new Map<number, number>();
  readonly #features: number[] = [];
  #near = 0;

  /** How long the vector is. */
  get length(): number {
    return this.#features.length === 0 ? this.#near : mostNear + this.#features.length;
  }

  /** @returns −1 for a feature without a place. */
  placeOf(feature: number): number {
    return feature < mostNear ? feature : (this.#far.get(feature) ?? -1);
  }

  featureAt(place: number): number {
    return place < mostNear ? place : this.#features[place - mostNear]!;
  }

  /** The place of a feature, which gets one where it has none. */
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

/** Features below this have their own positions: 8 MiB of doubles. */
const mostNear = 1 << 20;
