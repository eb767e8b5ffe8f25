/** The words that are labels of a text, numbered from 0 in the order in which they come. */
export class LabelNames {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  nameOf(number: number): string {
    return this.#names[number]!;
  }
}
