import type { JournalPart, ServedModel } from './contract.ts';

/** One generation of a model. A name keeps its {@link ServedModel} while generations replace each other. */
export interface InnerModel extends Omit<ServedModel, 'name' | 'journal'> {
  /** Absent: the model is frozen. */
  readonly journal?: ServedModel['journal'];
  /** As of `FollowingModels`. Absent: the model is frozen. */
  append?(part: JournalPart): Promise<void>;
  /** Resolves when all examples that were taken have their outcomes. Until {@link resume} it writes nothing. */
  pause(): Promise<void>;
  resume(): void;
  /** Takes no examples until a repair succeeds, which is tried again and again. @param repair default: its own. */
  block(cause: unknown, repair?: () => Promise<void>): void;
  /** Ends. A learning model writes its state, so that the next start replays nothing. */
  close(): Promise<void>;
  /** Ends, and leaves the files as they are. */
  abandon(): Promise<void>;
}
