import type { ErrorCosts, MetricName } from 'halfspace';
import { usage } from '../usage.ts';

interface CostOptions {
  readonly metric?: MetricName | undefined;
  readonly cost?: ErrorCosts | undefined;
}

/** Refuses costs without their metric, and that metric without costs. */
export function checkCost({ metric, cost }: CostOptions): void {
  if (metric === 'cost' && cost === undefined) throw usage('--metric cost needs --cost, such as --cost 1,10; got none');
  if (metric !== undefined && metric !== 'cost' && cost !== undefined)
    throw usage(`--cost is for --metric cost; got --metric ${metric}`);
}
