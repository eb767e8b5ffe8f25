import { describe, expect, it } from 'vitest';
import * as face from '../src/index.ts';

describe('the root of the library', () => {
  it('exports these values; all others have a subpath', () => {
    expect(Object.keys(face).sort()).toEqual([
      'HalfspaceError',
      'OnlineClassifier',
      'Predictor',
      'arrays',
      'bags',
      'compareRules',
      'csv',
      'decodeModel',
      'decodeTrainState',
      'encodeModel',
      'encodeTrainState',
      'errorCodes',
      'evaluate',
      'libsvm',
      'ndjson',
      'rows',
      'train',
      'vw',
      'weightIntervals',
    ]);
  });
});
