// Prints readings of an invented machine as CSV: node readings.js ROWS SEED
const [rows = 100, seed = 1] = process.argv.slice(2).map(Number);

let state = seed;
/** Returns a number in [0, 1): the next one of mulberry32. */
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

console.log('temperature,vibration,load,shift,state');
for (let i = 0; i < rows; i++) {
  const load = random();
  const isFaulty = random() < 0.2;
  const temperature = 40 + 30 * load + 10 * random() + (isFaulty ? 4 : 0);
  const vibration = 0.2 + 0.5 * load + 0.2 * random() + (isFaulty ? 0.15 : 0);
  const shift = random() < 0.5 ? 'day' : 'night';
  console.log(
    [temperature.toFixed(1), vibration.toFixed(2), load.toFixed(2), shift, isFaulty ? 'faulty' : 'fine'].join(),
  );
}
