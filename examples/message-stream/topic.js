// Stands for a topic of Kafka or a similar log: messages with offsets, readable from any offset.
const merchants = ['travel', 'food', 'games', 'books'];

/** Returns the message at an offset: an invented payment, which was a fraud or not. */
function message(offset) {
  let state = offset;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const fraud = random() < 0.3;
  const merchant = merchants[Math.floor((fraud ? 0.5 : 0.75) * random() * 4 + (fraud ? 1.5 : 0))];
  const amount = Math.round(100 * (fraud ? 40 + 300 * random() : 5 + 150 * random())) / 100;
  const hour = Math.floor(fraud ? random() * 24 : 7 + random() * 16);
  return { offset, value: JSON.stringify({ merchant, amount, hour, fraud }) };
}

/** Yields the messages from an offset on, up to another one. */
export async function* consume({ from, to }) {
  for (let offset = from; offset < to; offset++) yield message(offset);
}
