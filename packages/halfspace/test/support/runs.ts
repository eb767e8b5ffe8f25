import { arraySource } from '../../src/data/in-memory.ts';
import type { TrainOptions } from '../../src/train/options.ts';
import type { TrainingResult } from '../../src/train/report.ts';
import { train } from '../../src/train/train.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense } from './examples.ts';
import { wasm } from './kernels.ts';

const kernels = wasm();

/** A run over dense rows. */
export function run(data: readonly Example[], options: TrainOptions = {}): Promise<TrainingResult> {
  return train(arraySource(dense(data)), { kernels, ...options });
}
