// Trains a model of each kind from rows, writes it, and asks it through every import that can: the class, the bits of
// the scores and of the probabilities of fixed rows. Runs wherever JavaScript does: no file, no process, no clock.

import * as predict from '../../packages/halfspace/dist/face/predict.js';
import * as predictText from '../../packages/halfspace/dist/face/predict-text.js';
import { encodeModel, Predictor, decodeModel as readAny, rows, train } from '../../packages/halfspace/dist/index.js';

const entries = { predict, 'predict/text': predictText, halfspace: { decodeModel: readAny, Predictor } };

/** A table of numbers, categories, dates, booleans and text. @param classes 2 or 3. */
function tableOf(classes) {
  let state = 12345;
  const below = (n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
  return Array.from({ length: 240 }, () => {
    const [size, shade] = [below(1000) / 7, below(1000) / 900 - 0.5];
    const colour = ['red', 'grün', '日本', null][below(4)];
    const score = size / 70 - 1 + shade + (colour === 'red' ? 0.7 : 0) + below(100) / 200;
    return {
      size,
      shade,
      colour,
      sure: below(2) === 1,
      day: `2024-0${1 + below(9)}-1${below(10)}`,
      said: `${['a free prize', 'see you', 'call me'][below(3)]} ${['now', 'at home', 'tonight'][below(3)]} ${below(50)}`,
      kind: classes === 2 ? (score > 0.4 ? 'high' : 'low') : score > 1 ? 'high' : score < 0 ? 'low' : 'middle',
    };
  });
}

const plain = { columns: { said: { kind: 'drop' }, size: { bins: 4 } }, crosses: [['size', 'colour']] };
const models = [
  ['linear', 2, plain, { rule: 'averaged', calibrate: 'platt' }],
  ['several classes', 3, plain, { rule: 'passive-aggressive', calibrate: 'isotonic' }],
  ['text', 2, {}, { rule: 'arow', calibrate: 'isotonic' }],
  ['kernel', 2, plain, { rule: 'kernel', passes: 2 }],
  ['tree', 3, plain, { rule: 'tree' }],
  ['chosen', 2, {}, {}],
];

/** Returns the bits of numbers as hexadecimal digits. */
function bitsOf(numbers) {
  const view = new DataView(new ArrayBuffer(8));
  return Array.from(numbers, (number) => {
    view.setFloat64(0, number);
    return view.getBigUint64(0).toString(16).padStart(16, '0');
  }).join(' ');
}

function outcome(ask) {
  try {
    return ask();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
}

/** Returns one line for each model, entry and row. */
export async function answers() {
  const lines = [];
  for (const [name, classes, features, options] of models) {
    const table = tableOf(classes);
    const { model } = await train(rows(table, { label: 'kind', features }), { seed: 3, ...options });
    const text = encodeModel(model);
    lines.push(`${name}: ${JSON.parse(text).digest}`);
    const asked = [
      ...table.slice(0, 4),
      { size: '12.5', colour: 'new', day: '2023-02-28T12:00' },
      { size: 'many' },
      {},
    ];
    for (const [entry, { decodeModel, Predictor: Asker }] of Object.entries(entries))
      lines.push(
        outcome(() => {
          const asker = new Asker(decodeModel(text));
          const told = asked.map((row) =>
            outcome(
              () =>
                `${asker.predict(row)} ${bitsOf(asker.scores(row))} ${model.calibration === null ? '' : bitsOf(asker.probabilities(row))}`,
            ),
          );
          return `${name} by ${entry}: ${told.join('; ')}`;
        }),
      );
  }
  return lines;
}
