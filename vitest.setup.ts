import fc from 'fast-check';

// One commit has one verdict: properties draw their examples from a fixed seed. TEST_SEED=any draws others each time, TEST_SEED=7 those of 7.
const given = process.env.TEST_SEED ?? '20261120';
if (given !== 'any') {
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED must be a whole number or "any"; got ${given}`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
