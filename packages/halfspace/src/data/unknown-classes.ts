import { HalfspaceError } from '../errors.ts';

/** Maximum number of classes. More are taken for quantities, names or texts: the label is another one. */
const mostUnknown = 1000;

/**
 * The classes of rows that a model does not have, in the order in which they occur. Their positions follow those of the
 * model's classes. Beside the labels −1 and +1 of two classes, theirs are −3, −5, …, so none of them is positive; of
 * more classes, the labels are the positions.
 */
export class UnknownClasses {
  readonly names: string[] = [];
  readonly #labels = new Map<string, number>();
  readonly #known: number;
  readonly #source: string;

  /** @param known number of the model's classes. @param source name of the data, for messages. */
  constructor(known: number, source: string) {
    this.#known = known;
    this.#source = source;
  }

  /** Returns the label of a class. @throws HalfspaceError `label-classes` if there are too many classes. */
  labelOf(name: string): number {
    let label = this.#labels.get(name);
    if (label !== undefined) return label;
    if (this.names.length === mostUnknown)
      throw new HalfspaceError(
        'label-classes',
        `expected labels of the model's ${this.#known} classes; got more than ${mostUnknown} others, such as ${this.names.slice(0, 3).join(', ')}`,
        { source: this.#source },
      );
    const position = this.#known + this.names.length;
    label = this.#known === 2 ? 1 - 2 * position : position;
    this.names.push(name);
    this.#labels.set(name, label);
    return label;
  }
}
