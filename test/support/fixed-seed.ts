import fc from 'fast-check';

// Properties draw their examples from a fixed seed, so one commit has one result. TEST_SEED=any draws other examples
// each time, TEST_SEED=7 those of seed 7.
const given = process.env.TEST_SEED ?? '20261120';
if (given !== 'any') {
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be a whole number or "any"; got ${given}`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
