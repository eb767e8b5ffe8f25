import { readFile, writeFile } from 'node:fs/promises';
import { csv, decodeModel, encodeModel, Predictor, train } from 'halfspace';

const { model, report } = await train(csv('mails.csv', { label: 'spam', positive: 'yes' }), { holdout: 0.25 });
console.log(`${Math.round(100 * report.holdout.accuracy)} % of the held-out rows are right`);

await writeFile('mails.model.json', encodeModel(model));
const predictor = new Predictor(decodeModel(await readFile('mails.model.json', 'utf8')));
console.log(predictor.predict({ sender: 'unknown', links: 6, words: 20, hour: 3 }));
console.log(predictor.predict({ sender: 'colleague', links: 0, words: 150, hour: 10 }));
