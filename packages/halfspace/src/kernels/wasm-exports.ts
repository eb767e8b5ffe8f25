/** The exports of assembly/index.ts. Addresses and lengths are numbers; 0: none. `batch`, `room`: see layout.ts. */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number, clear: number): number;
  release(pointer: number): void;
  learn(
    batch: number,
    order: number,
    from: number,
    to: number,
    weights: number,
    sums: number,
    state: number,
    log: number,
    timed: number,
  ): number;
  learnSgd(
    ...memory: [
      ...listed: [batch: number, from: number, to: number, list: number, capacity: number],
      records: number,
      state: number,
    ]
  ): number;
  learnMultinomial(
    ...memory: [
      ...listed: [batch: number, from: number, to: number, list: number, capacity: number],
      scratch: number,
      classes: number,
      records: number,
      biases: number,
      state: number,
    ]
  ): number;
  learnArow(
    ...memory: [
      ...listed: [batch: number, from: number, to: number, list: number, capacity: number],
      weights: number,
      variances: number,
      sums: number,
      state: number,
    ]
  ): number;
  score(batch: number, weights: number, offset: number, out: number): void;
  squaredNorms(batch: number, out: number): void;
  compact(
    indices: number,
    values: number,
    count: number,
    ten: number,
    high: number,
    low: number,
    outIndices: number,
    outValues: number,
  ): number;
  countPicked(sources: number, picks: number, count: number): number;
  copyPicked(sources: number, picks: number, count: number, target: number): void;
  parseLibsvm(text: number, room: number, report: number): number;
  parseVwHashed(text: number, room: number, places: number, report: number, bits: number): number;
  parseVwNamed(
    ...given: [text: number, room: number, places: number, report: number, ...table: NameTablePlaces]
  ): number;
  internNames(...given: [entries: number, count: number, numbers: number, ...table: NameTablePlaces]): void;
  renumber(indices: number, count: number, short: number, numbers: number): void;
}

export type NameTablePlaces = readonly [
  slots: number,
  slotCount: number,
  arena: number,
  arenaBytes: number,
  decimals: number,
  state: number,
];
