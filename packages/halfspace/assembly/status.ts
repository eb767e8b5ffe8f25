// Numbers that cross to the host; src/kernels/kernels.ts says what they mean.

export namespace status {
  export const done = 0;
  export const full = 1;
  export const enlarge = 2;
  export const enlargeNames = 3;
  export const notCompact = 4;
  export const binary = 16;
  export const label = 17;
  export const number = 18;
  export const notFinite = 19;
  export const colon = 20;
  export const index = 21;
  export const indexRange = 22;
  export const indexOrder = 23;
  export const qid = 24;
  export const importance = 25;
  export const bar = 26;
  export const utf8 = 27;
  export const manyLabels = 28;
  export const base = 29;
}

/** Byte positions of the fields of a text kernel's report. */
export namespace field {
  export const from = 0;
  export const to = 8;
  export const last = 16;
  export const consumed = 24;
  export const rows = 32;
  export const stored = 40;
  export const lines = 48;
  export const dimension = 56;
  export const faultFrom = 64;
  export const faultTo = 72;
  export const weighted = 80;
  export const zeroIndex = 88;
  export const unknown = 96;
}
