/** `platt`: a sigmoid, or a softmax for several classes. `isotonic`: an increasing curve of any shape. */
export type CalibrationKind = 'platt' | 'isotonic';

export const calibrationKinds: readonly CalibrationKind[] = ['platt', 'isotonic'];
