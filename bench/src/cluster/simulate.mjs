import { Random } from '../data/random.mjs';
import { Calendar, countdown, Line } from './calendar.mjs';

/**
 * @typedef {import('./costs.mjs').Costs} Costs
 *
 * @typedef {'driver' | 'tree'} Mixing how results are added up. `driver`: each shard's result goes to the driver; `tree`: with
 *   `mix --part`, each machine adds up its own shards, two at a time on all cores, then the machines add up along a binary tree
 *
 * @typedef {object} Job
 * @property {number} rows
 * @property {number} nonzeros of a row
 * @property {number} features weights of the model
 * @property {number} rounds
 * @property {number} machines each has one shard per core
 * @property {Mixing} mixing
 * @property {number} [seed] default 1
 *
 * @typedef {object} Parts seconds
 * @property {number} send until the last machine has the weights
 * @property {number} task the median task
 * @property {number} wait what the last task takes beyond these two
 * @property {number} mix until the next weights are there
 *
 * @typedef {object} Simulated
 * @property {number} seconds in all
 * @property {number} load seconds before the first round: read, exchange, sort
 * @property {Parts} parts of all rounds
 * @property {number} lost machines that failed
 * @property {number} driverBytes what the driver holds at the end of a round
 * @property {number} machineBytes what the workers of a machine hold of weights
 */

/**
 * Simulates iterative parameter mixing: in every round each shard goes on from the mixed weights over its own rows.
 *
 * @param {Job} job
 * @param {Costs} costs
 * @returns {Simulated}
 */
export function simulate(job, costs) {
  const cluster = new Cluster(job, costs);
  const { calendar, bytes } = cluster;
  const parts = { send: 0, task: 0, wait: 0, mix: 0 };
  let rounds = 0;
  const next = () => {
    if (rounds++ === job.rounds) return;
    cluster.round((part) => {
      for (const name of Object.keys(parts)) parts[name] += part[name];
      next();
    });
  };
  calendar.after(cluster.load, next);
  calendar.run();
  return {
    seconds: calendar.now,
    load: cluster.load,
    parts,
    lost: cluster.lost,
    driverBytes: bytes * (job.mixing === 'driver' ? job.machines * costs.cores + 1 : costs.part + 1),
    machineBytes: bytes * 2 * costs.cores, // what a worker was given, and what it makes of it
  };
}

class Cluster {
  calendar = new Calendar();
  lost = 0;

  /** @param {Job} job @param {Costs} costs */
  constructor(job, costs) {
    this.job = job;
    this.costs = costs;
    const { machines, features, rows, nonzeros } = job;
    const { cores, network } = costs;
    this.chance = new Random(job.seed ?? 1);
    this.bytes = costs.weight * features;
    const values = (rows * nonzeros) / machines;
    const stored = values * costs.stored;
    const exchange = (stored * (machines - 1)) / machines / network;
    this.load = costs.turn + (values * costs.source) / cores + exchange;
    const reading = Math.max(0, stored - costs.memory) / costs.disk;
    this.task = costs.start + features * costs.take + (values / cores) * (costs.feed + costs.learn) + reading;
    const node = () => ({
      up: new Line(this.calendar),
      down: new Line(this.calendar),
      processor: new Line(this.calendar),
    });
    this.driver = node();
    this.scheduler = new Line(this.calendar);
    this.machines = Array.from({ length: machines }, () => ({
      ...node(),
      slowness: this.chance.uniform() < costs.slow ? costs.slowness : 1,
    }));
  }

  /** @param {(parts: Parts) => void} done */
  round(done) {
    const { calendar, costs, machines } = this;
    const began = calendar.now;
    const seconds = [];
    let sent = began;
    let learned = began;
    const finish = () => {
      const task = seconds.sort((a, b) => a - b)[seconds.length >> 1];
      done({ send: sent - began, task, wait: learned - sent - task, mix: calendar.now - learned });
    };
    const add = this.#adders[this.job.mixing](finish);
    const begin = (m) => {
      sent = calendar.now;
      const machine = machines[m];
      const failure = -Math.log(1 - this.chance.uniform()) / costs.failures;
      const factors = Array.from({ length: costs.cores }, () => Math.exp(costs.spread * this.chance.normal()));
      if (failure < this.task * machine.slowness * Math.max(...factors)) this.lost++;
      for (const factor of factors)
        this.scheduler.serve(costs.dispatch, () => {
          const usual = this.task * machine.slowness * factor;
          // Another machine takes the place: it reads and exchanges the rows again, and learns from the weights of this round.
          const again = costs.detect + costs.replace + this.load + usual;
          const time = failure < usual ? failure + again : usual;
          seconds.push(time);
          calendar.after(time, () => {
            learned = calendar.now;
            add(m);
          });
        });
    };
    calendar.after(costs.turn, () => this.#send(this.driver, 0, begin));
  }

  /** Sends the weights to a machine, and from there on to those below it. Spark's broadcast works in such a way. */
  #send(from, m, arrived) {
    if (m >= this.machines.length) return;
    from.up.serve(this.bytes / this.costs.network, () => {
      arrived(m);
      for (const child of [2 * m + 1, 2 * m + 2]) this.#send(this.machines[m], child, arrived);
    });
  }

  /** Each returns what to call with the machine of a result. `done` is called when the driver has the sums. */
  #adders = {
    driver: (done) => this.#toDriver(done),
    tree: (done) => this.#alongTree(done),
  };

  #toDriver(done) {
    const { driver, machines, costs } = this;
    const added = countdown(machines.length * costs.cores, done);
    return () =>
      driver.down.serve(this.bytes / costs.network, () => driver.processor.serve(this.#numbers * costs.add, added));
  }

  /** A machine adds up its own part and those of its children in one process, and sends the sum on. */
  #alongTree(done) {
    const { machines, driver, costs } = this;
    const partLevels = Math.max(0, Math.ceil(Math.log2(costs.cores)) - 1);
    const own = this.#numbers * Math.min(2, costs.cores) * (costs.add + costs.addPart * partLevels);
    const send = (to, then) => to.down.serve((costs.part * this.bytes) / costs.network, then);
    const complete = machines.map((_, m) => {
      const children = [2 * m + 1, 2 * m + 2].filter((child) => child < machines.length).length;
      const parent = (m - 1) >> 1;
      const sum = () => {
        const adding = children === 0 ? 0 : this.#numbers * costs.addPart * (children + 1);
        machines[m].processor.serve(adding, () => {
          if (m > 0) send(machines[parent], () => complete[parent]());
          else send(driver, () => driver.processor.serve(this.#numbers * costs.addPart, done));
        });
      };
      return countdown(1 + children, sum);
    });
    const learned = machines.map((machine, m) =>
      countdown(costs.cores, () => machine.processor.serve(own, complete[m])),
    );
    return (m) => learned[m]();
  }

  /** Numbers of a result: weights and their sums. */
  get #numbers() {
    return 2 * this.job.features;
  }
}
