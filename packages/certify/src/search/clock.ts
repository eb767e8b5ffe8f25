/** Progress of a search. */
export interface CertifyProgress {
  readonly stage: 'learning' | 'programme' | 'widening' | 'errors' | 'proving';
  /** One line for a person. */
  readonly text: string;
}

/** Time limit, pauses and progress messages of a search. */
export interface Clock {
  /** Returns the seconds left; 0 after an abort. */
  left(): number;
  /** Lets the event loop run, so that an abort can arrive. */
  breathe(): Promise<void>;
  tell(stage: CertifyProgress['stage'], text: string): void;
}
