import type { DataOptions, Input } from './input.ts';

export async function openTableInput(
  _paths: readonly string[],
  _format: string,
  _stdin: unknown,
  _options: DataOptions,
): Promise<Input> {
  throw new Error('tables are not there yet');
}
