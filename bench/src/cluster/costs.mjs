/**
 * The costs that the simulation works with. `--costs FILE`, a JSON object with some of these names, replaces them.
 *
 * @typedef {object} Costs
 * @property {number} learn seconds to learn one nonzero
 * @property {number} feed seconds for the engine to bring one nonzero from its store to the worker
 * @property {number} source seconds to read one nonzero from the source, find its shard and sort, once
 * @property {number} start seconds from the start of a task to its first row: a process of Node
 * @property {number} take seconds to bring one weight, with its sum, into a worker and out again
 * @property {number} dispatch seconds of the driver for each task
 * @property {number} turn seconds of the engine for each round, whatever its size
 * @property {number} add seconds of one processor to add one number of one result exactly
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
  // Measured with tables of doubles on 2 shared cores of an AMD EPYC, Node 20.20, Spark 4.1: python/halfspace_spark/bench/speed.py with
  // a million rows of ten columns (counting a persisted row: 10 × feed), and `halfspace worker` with 200,000 rows of fifty columns.
  learn: 33e-9,
  feed: 100e-9,
  source: 400e-9,
  start: 0.25,
  turn: 0.2,
  stored: 8,
  // Not measured: the order of size of what JavaScript and Spark need for such work.
  take: 60e-9,
  dispatch: 2e-3,
  add: 200e-9,
  spread: 0.1,
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
