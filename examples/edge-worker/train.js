import { writeFile } from 'node:fs/promises';
import { csv, encodeModel, train } from 'halfspace';

const { model } = await train(csv('fruit.csv', { label: 'ripe' }));
await writeFile('fruit.model.json', encodeModel(model));
