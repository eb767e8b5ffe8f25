/**
 * The costs that the simulation works with. `--costs FILE`, a JSON object with some of these names, replaces them.
 *
 * @typedef {object} Costs
 * @property {number} learn seconds to learn one nonzero
 * @property {number} feed seconds for the engine to bring one nonzero from its store to the worker
 * @property {number} source seconds to read one nonzero from the source, find its shard and sort, once
 * @property {number} start seconds of a task of any size
 * @property {number} take seconds to bring one weight, with its sum, into a worker and out again
 * @property {number} dispatch seconds of the driver for each task
 * @property {number} turn seconds of the engine for each round, whatever its size
 * @property {number} add seconds of one processor to add one number of one result exactly
 * @property {number} addPart the same for a number of a part, which is a sum of results already
 * @property {number} weight bytes of one weight, with its sum, in a state or a result
 * @property {number} part times as large as a result
 * @property {number} spread standard deviation of the logarithm of a task's time
 * @property {number} stored bytes of one nonzero in the engine's store
 * @property {number} network bytes per second of each machine's link, in each direction
 * @property {number} disk bytes per second that a machine reads from its disk
 * @property {number} memory bytes of each machine; rows beyond it are read from disk in each round
 * @property {number} cores of each machine
 * @property {number} slow share of the machines that are slow
 * @property {number} slowness how many times as long a slow machine takes
 * @property {number} failures of one machine in a second
 * @property {number} detect seconds until the driver gives a machine up
 * @property {number} replace seconds until another one has taken its place
 */

const year = 365.25 * 24 * 3600;

/** @type {Costs} */
export const costs = {
  // Measured on 2 shared cores of an AMD EPYC, Node 20.20, Spark 4.1. `node bench/src/cluster/measure.mjs` prints these, of processor time:
  learn: 32e-9,
  take: 770e-9,
  add: 300e-9,
  addPart: 150e-9,
  weight: 21,
  part: 2,
  spread: 0.17,
  // `python bench/turn.py` in python/halfspace_spark prints these:
  turn: 0.09,
  start: 0.055,
  dispatch: 1.3e-3,
  // From `python bench/speed.py` there, with 5 million rows of ten doubles: a round, less `learn` and `turn`; cutting into shards and sorting.
  feed: 20e-9,
  source: 400e-9,
  stored: 8,
  // Assumed machines.
  network: 1.25e9, // 10 Gbit/s
  disk: 1e9,
  memory: 64e9,
  cores: 16,
  slow: 0.01,
  slowness: 2,
  // About 1,000 failures of machines in the first year of a cluster of 1,800: Dean, keynote at LADIS 2009.
  failures: 1000 / 1800 / year,
  detect: 120, // `spark.network.timeout`
  replace: 60,
};
