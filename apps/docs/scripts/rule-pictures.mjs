// Draws what each rule learns from the same 60 points, as SVG that the lab can take the place of, for the pages of the
// rules. The site calls it when it is built, so the pictures are those of the library as it is. Run by hand, it prints
// one: node rule-pictures.mjs arow
import { fileURLToPath } from 'node:url';
import { evaluate, Predictor, rows, train } from 'halfspace';

/** The rules with the options of their pictures. */
export const drawn = {
  perceptron: 'perceptron',
  averaged: 'averaged',
  margin: { name: 'margin', margin: 2 },
  'passive-aggressive': { name: 'passive-aggressive', aggressiveness: 0.1 },
  pocket: 'pocket',
  arow: 'arow',
  sgd: 'sgd',
  voted: 'voted',
  kernel: { name: 'kernel', kernel: 'rbf', gamma: 1 },
  tree: { name: 'tree', maxDepth: 3 },
};

const [width, height] = [8, 6];

/** Returns 60 points of two classes that overlap. Always the same ones. */
function points() {
  let state = 20;
  const uniform = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const spread = () => uniform() + uniform() + uniform() - 1.5;
  return Array.from({ length: 60 }, (_, i) =>
    i % 2 === 0
      ? { x: 2.7 + 2.2 * spread(), y: 2.3 + 1.9 * spread(), label: 'a' }
      : { x: 5.2 + 2.2 * spread(), y: 3.8 + 1.9 * spread(), label: 'b' },
  );
}

/** Returns the line on which a function of the plane is 0: the crossings of a grid's edges, joined within its squares. */
function zeroLine(score, step = 0.1) {
  const [columns, rows] = [width / step, height / step].map(Math.round);
  const value = Array.from({ length: rows + 1 }, (_, j) =>
    Array.from({ length: columns + 1 }, (_, i) => score(i * step, j * step)),
  );
  const parts = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const corners = [
        [i, j],
        [i + 1, j],
        [i + 1, j + 1],
        [i, j + 1],
      ];
      const crossings = corners.flatMap(([c, r], k) => {
        const [d, s] = corners[(k + 1) % 4];
        const [from, to] = [value[r][c], value[s][d]];
        if (from > 0 === to > 0) return [];
        const share = from / (from - to);
        return [place((c + share * (d - c)) * step, (r + share * (s - r)) * step)];
      });
      for (let k = 0; k + 1 < crossings.length; k += 2) parts.push(`M${crossings[k]}L${crossings[k + 1]}`);
    }
  }
  return parts.join('');
}

const shown = (value) => Number(value.toFixed(1));
const place = (x, y) => `${shown(x * 60)} ${shown((height - y) * 60)}`;

async function learned(rule) {
  const data = points();
  const source = rows(data, { label: 'label' });
  const { model } = await train(source, rule.name === 'tree' ? { rule } : { rule, passes: 20 });
  const predictor = new Predictor(model);
  const { accuracy } = await evaluate(model, source);
  return { data, predictor, accuracy };
}

/** Returns the picture of a rule as SVG, in the colours of the page. */
export async function drawRule(name) {
  const { data, predictor, accuracy } = await learned(drawn[name]);
  const line = async (rule) => {
    const { predictor } = await learned(rule);
    return zeroLine((x, y) => predictor.score({ x, y }));
  };
  const errors = data.filter(({ x, y, label }) => predictor.predict({ x, y }) !== label);
  const centre = ({ x, y }) => `cx="${shown(x * 60)}" cy="${shown((height - y) * 60)}"`;
  const mark = (point) => {
    const [x, y] = place(point.x, point.y).split(' ').map(Number);
    return point.label === 'a'
      ? `<circle ${centre(point)} r="5" class="class-a"/>`
      : `<rect x="${shown(x - 4.5)}" y="${shown(y - 4.5)}" width="9" height="9" class="class-b"/>`;
  };
  const right = Math.round(accuracy * data.length);
  const compared = name === 'perceptron' ? '' : ' The thin line is that of the perceptron.';
  const title = `What ${name} learns from 60 points of two classes: ${right} are on their side of the line.${compared}`;
  const text = `x,y,label\n${data.map((point) => `${point.x},${point.y},${point.label}\n`).join('')}`;
  const table = { text, label: 'label', positive: null, isPlane: true };
  const rule = typeof drawn[name] === 'string' ? { name } : drawn[name];
  return [
    `<LiveFigure run="${encodeURIComponent(JSON.stringify({ table, rule }))}">`,
    `<figure class="rule-picture"><svg viewBox="0 0 ${width * 60} ${height * 60}" role="img" aria-label="${title}">`,
    name === 'perceptron' ? '' : `<path d="${await line('perceptron')}" class="other-line"/>`,
    `<path d="${zeroLine((x, y) => predictor.score({ x, y }))}" class="line"/>`,
    ...data.map(mark),
    ...errors.map((point) => `<circle ${centre(point)} r="10" class="error"/>`),
    `</svg><figcaption>${title} Rings mark those on the wrong side.</figcaption></figure>`,
    '</LiveFigure>',
  ].join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await drawRule(process.argv[2] ?? 'perceptron'));
