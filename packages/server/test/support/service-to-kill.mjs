// Serves the models of a folder over standard input and output, a line of JSON each, until it is killed.
import { createInterface } from 'node:readline';
import { openModels } from '../../dist/index.js';

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
say({ event: 'opening' });
const models = await openModels({ dir: process.argv[2], segmentBytes: 4096 });
const shown = (model) => ({ label: model?.description.label ?? null, sequence: model?.version.sequence ?? 0 });
say({ event: 'open', ...shown(models.get('m')) });
const acts = {
  learn: ({ examples }) => models.get('m').learn(examples),
  put: ({ options }) => models.put('m', { kind: 'learning', options }).then(shown),
  close: () => models.close(),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { call, act, ...given } = JSON.parse(line);
  acts[act](given).then(
    (result) => say({ call, result }),
    (error) => say({ call, error: `${error}` }),
  );
}
