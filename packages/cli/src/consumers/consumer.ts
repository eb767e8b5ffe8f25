import type { Label, Model } from 'halfspace';
import type { CommandOptions } from '../options.ts';
import type { AskedRow } from './rows.ts';

/** The answer of an exported program to one row, or its refusal of the row. */
export type Answer = { readonly refused: string } | Answered;

export interface Answered {
  readonly class: Label;
  /** One for two classes, else one per class; null if the consumer tells only the class. */
  readonly scores: readonly number[] | null;
  /** One per class; null if the program has none. */
  readonly probabilities: readonly number[] | null;
}

/** Something that runs an exported program: a runtime, a compiler, a database, another library. */
export interface Consumer {
  /** Name and version. */
  readonly name: string;
  /**
   * True if its scores and probabilities must have the bits of `Predictor`. Otherwise it may add up in another order,
   * and {@link roundingBounds} says how far its scores may be.
   */
  readonly exact: boolean;
  /** Answers rows, in order. @throws Error if it fails as a whole. */
  ask(rows: readonly AskedRow[]): Promise<readonly Answer[]>;
  /** Ends it. */
  close(): void;
}

/** A written program, with the options it was written with. */
export interface Exported {
  readonly model: Model;
  /** An ONNX file is bytes. */
  readonly text: string | Uint8Array;
  readonly options: Pick<CommandOptions<'export'>, 'form' | 'name' | 'dialect' | 'table'>;
  /** A temporary folder, removed afterwards. */
  readonly folder: string;
}

/** Starts a consumer. Resolves to a sentence if there is none on this machine. */
export type StartConsumer = (exported: Exported) => Promise<Consumer | string>;
