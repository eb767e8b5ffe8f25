// Compares `train` without options, which bends numbers and pairs columns where that pays off, with boosted trees and
// logistic regression on public tables. Prints a table in Markdown.
//
//   cd DIR
//   for each in jbrownlee/Datasets mwaskom/seaborn-data vincentarelbundock/Rdatasets
//   do git clone --depth 1 https://github.com/$each; done
//   pip install scikit-learn lightgbm
//   node bench/src/tables/beside-trees.mjs --data DIR --python PATH [--splits 5] [--only NAME,NAME]
//
// Each table is cut into stratified splits; all see the same rows. Numbers are accuracy / log loss. Trees get words as
// categories, logistic regression one-hot; all have their default settings. halfspace is calibrated by `platt`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { csv, evaluate, train } from 'halfspace';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '.' },
    python: { type: 'string', default: 'python3' },
    splits: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});

/** Name, label (the last column if absent) and columns to leave out: numbers of rows, and copies of the label. */
const brownlee =
  'banknote_authentication breast-cancer breast-cancer-wisconsin ecoli german glass haberman horse-colic:column23:column2,column24,column25,column26,column27 ionosphere iris mammography new-thyroid oil-spill:column49:column0 phoneme pima-indians-diabetes sonar wheat-seeds wine winequality-red abalone:column0';
const seaborn = 'titanic:survived:alive,class,who,adult_male,embark_town,alone penguins:sex mpg:origin:name';
const r =
  'AER/CreditCard:card:share,expenditure AER/HealthInsurance:insurance AER/PSID1976:participation:hours,wage,repwage,hhours AER/HMDA:deny carData/Arrests:released carData/Wells:switch carData/Chile:vote DAAG/monica:outcome DAAG/spam7:yesno ISLR/OJ:Purchase ISLR/Default:default modeldata/mlc_churn:churn modeldata/credit_data:Status modeldata/attrition:Attrition modeldata/cells:class:case modeldata/wa_churn:churn bayesrules/hotel_bookings:is_canceled:reservation_status,reservation_status_date bayesrules/weather_perth:raintomorrow:risk_mm openintro/email:spam:time Ecdat/Benefits:ui';
const listed = (text, folder, header, always = []) =>
  text.split(' ').map((entry) => {
    const [path, label = null, dropped = ''] = entry.split(':');
    const name = path.split('/').at(-1);
    return [name, join(options.data, folder, `${path}.csv`), header, label, [...always, ...dropped.split(',')]];
  });
const only = options.only?.split(',');
const tables = [
  ...listed(brownlee, 'Datasets', false),
  ...listed(seaborn, 'seaborn-data', true),
  ...listed(r, 'Rdatasets/csv', true, ['rownames']),
].filter(([name]) => only === undefined || only.includes(name));

const folder = mkdtempSync(join(tmpdir(), 'halfspace-trees-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const python = spawn(options.python, [join(import.meta.dirname, 'beside_trees.py'), folder, options.splits], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
python.stdin.end(JSON.stringify(tables));

const splits = Number(options.splits);
const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const shown = (scores) =>
  [0, 1]
    .map((k) =>
      mean(scores.map((each) => each[k]))
        .toFixed(3)
        .replace(/^0/, ''),
    )
    .join(' / ');
const totals = new Map();
for await (const line of createInterface({ input: python.stdout })) {
  const { name, rows, columns, scores: peers } = JSON.parse(line);
  const scores = { straight: [], halfspace: [], ...peers };
  const shapes = [];
  for (let k = 0; k < splits; k++) {
    const part = (which) => csv(join(folder, `${name}-${k}-${which}.csv`), { label: 'class' });
    for (const key of ['straight', 'halfspace']) {
      const { model, search } = await train(part('train'), {
        calibrate: 'platt',
        ...(key === 'straight' ? { bend: 'none' } : {}),
      });
      const { accuracy, logLoss } = await evaluate(model, part('test'));
      scores[key].push([accuracy, logLoss]);
      if (key === 'halfspace') shapes.push(search.tried[search.taken].shape);
    }
  }
  if (totals.size === 0) row(['table', 'rows × columns', 'shapes', ...Object.keys(scores)]);
  if (totals.size === 0) row(Array.from({ length: Object.keys(scores).length + 3 }, () => '---'));
  const often = ['straight', 'bent', 'crossed'].map((shape) => shapes.filter((each) => each === shape).length);
  row([name, `${rows} × ${columns}`, often.join(' '), ...Object.values(scores).map(shown)]);
  for (const [key, each] of Object.entries(scores))
    totals.set(key, [...(totals.get(key) ?? []), [0, 1].map((k) => mean(each.map((one) => one[k])))]);
}
row(['mean', '', '', ...[...totals.values()].map(shown)]);
const ours = totals.get('halfspace');
const ahead = (key, k) =>
  totals.get(key).filter((each, t) => (k === 0 ? ours[t][0] >= each[0] : ours[t][1] <= each[1]));
row([
  'halfspace at least level',
  '',
  '',
  ...[...totals.keys()].map((key) => [0, 1].map((k) => ahead(key, k).length).join(' / ')),
]);

function row(cells) {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
