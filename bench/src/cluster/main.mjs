// Simulates training on clusters that nobody here has: iterative parameter mixing of documents, by rows and machines. The costs stand in
// costs.mjs; `--costs FILE` replaces some.
//
//   node bench/src/cluster/main.mjs [--rows 1e9,1.7e10,1e11] [--machines 10,100,1000] [--rounds 10] [--nonzeros 125]
//        [--features 16777216] [--costs FILE]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '../report/table.mjs';
import { costs as usual } from './costs.mjs';
import { simulate } from './simulate.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1e9,1.7e10,1e11' },
    machines: { type: 'string', default: '1,10,100,1000' },
    rounds: { type: 'string', default: '10' },
    nonzeros: { type: 'string', default: '125' },
    features: { type: 'string', default: '16777216' },
    costs: { type: 'string' },
  },
});
const given = options.costs === undefined ? {} : JSON.parse(readFileSync(options.costs, 'utf8'));
const unknown = Object.keys(given).find((name) => !(name in usual));
if (unknown !== undefined) throw new Error(`expected names of costs in ${options.costs}; got ${unknown}`);
const costs = { ...usual, ...given };

const lines = [];
for (const rows of options.rows.split(',').map(Number))
  for (const machines of options.machines.split(',').map(Number))
    for (const mixing of /** @type {const} */ (['driver', 'tree'])) {
      const job = { rows, machines, mixing, ...amounts('rounds', 'nonzeros', 'features') };
      const { seconds, load, parts, lost, driverBytes, machineBytes } = simulate(job, costs);
      const phases = [load, ...Object.values(parts)].map((part) => `${Math.round((100 * part) / seconds)}`);
      const memory = [driverBytes, machineBytes].map((bytes) => (bytes / 1e9).toFixed(1));
      lines.push([
        rows.toExponential(1),
        String(machines),
        mixing,
        duration(seconds),
        ...phases,
        String(lost),
        ...memory,
      ]);
    }
const phases = ['load, %', 'send, %', 'learn, %', 'wait, %', 'mix, %'];
console.log(
  table(
    ['rows', 'machines', 'mixing', 'time', ...phases, 'lost', 'driver holds, GB', 'weights on a machine, GB'],
    lines,
  ),
);

function amounts(...names) {
  return Object.fromEntries(names.map((name) => [name, Number(options[name])]));
}

function duration(seconds) {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
