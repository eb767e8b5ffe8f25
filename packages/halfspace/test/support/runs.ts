import { arraySource } from '../../src/data/in-memory.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { TrainingReport } from '../../src/train/report.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense } from './examples.ts';
import { wasm } from './kernels.ts';
import { train } from './linear.ts';

const kernels = wasm();

/** A run over dense rows. */
export function run(
  data: readonly Example[],
  options: RunOptions = {},
): Promise<{ model: LinearModel; report: TrainingReport }> {
  return train(arraySource(dense(data)), { kernels, ...options });
}
