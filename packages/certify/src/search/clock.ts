/** How far a search is. */
export interface CertifyProgress {
  readonly stage: 'learning' | 'programme' | 'widening' | 'errors' | 'proving';
  /** What there is to say of it. */
  readonly text: string;
}

/** What long searches ask now and then. */
export interface Clock {
  /** Seconds; 0 after an abort. */
  left(): number;
  /** Lets the event loop turn, so that an abort is heard. */
  breathe(): Promise<void>;
  tell(stage: CertifyProgress['stage'], text: string): void;
}
