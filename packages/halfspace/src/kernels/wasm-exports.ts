/** What assembly/index.ts exports. Pointers and lengths are numbers; 0 stands for "none". */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number, clear: number): number;
  release(pointer: number): void;
  // `…Sized`: for a `stepKind` other than the perceptron's.
  learnSparseSized: WasmExports['learnSparse'];
  learnDenseSized: WasmExports['learnDense'];
  learnSingleSized: WasmExports['learnSingle'];
  learnCompactSized: WasmExports['learnCompact'];
  learnLogged(
    ...rows: [
      layout: number,
      log: number,
      timed: number,
      order: number,
      from: number,
      to: number,
      offsets: number,
      indices: number,
      values: number,
      dimension: number,
      high: number,
      low: number,
      labels: number,
      importance: number,
      weights: number,
      sums: number,
      state: number,
    ]
  ): number;
  learnSparse(
    order: number,
    from: number,
    to: number,
    offsets: number,
    indices: number,
    values: number,
    labels: number,
    importance: number,
    weights: number,
    sums: number,
    state: number,
  ): number;
  learnDense(
    order: number,
    from: number,
    to: number,
    values: number,
    dimension: number,
    labels: number,
    importance: number,
    weights: number,
    sums: number,
    state: number,
  ): number;
  learnSgd(
    ...rows: [
      layout: number,
      from: number,
      to: number,
      offsets: number,
      indices: number,
      values: number,
      dimension: number,
      high: number,
      low: number,
      labels: number,
      importance: number,
      list: number,
      capacity: number,
      records: number,
      state: number,
    ]
  ): number;
  learnArow(
    ...rows: [
      layout: number,
      from: number,
      to: number,
      offsets: number,
      indices: number,
      values: number,
      dimension: number,
      high: number,
      low: number,
      labels: number,
      importance: number,
      list: number,
      capacity: number,
      weights: number,
      variances: number,
      sums: number,
      state: number,
    ]
  ): number;
  scoreSparse(
    rows: number,
    offsets: number,
    indices: number,
    values: number,
    weights: number,
    offset: number,
    out: number,
  ): void;
  scoreDense(rows: number, values: number, dimension: number, weights: number, offset: number, out: number): void;
  learnSingle(
    order: number,
    from: number,
    to: number,
    values: number,
    dimension: number,
    labels: number,
    importance: number,
    weights: number,
    sums: number,
    state: number,
  ): number;
  scoreSingle(rows: number, values: number, dimension: number, weights: number, offset: number, out: number): void;
  squaredNormsSingle(rows: number, values: number, dimension: number, out: number): void;
  learnCompact(
    order: number,
    from: number,
    to: number,
    offsets: number,
    indices: number,
    values: number,
    high: number,
    low: number,
    labels: number,
    importance: number,
    weights: number,
    sums: number,
    state: number,
  ): number;
  scoreCompact(
    rows: number,
    offsets: number,
    indices: number,
    values: number,
    high: number,
    low: number,
    weights: number,
    offset: number,
    out: number,
  ): void;
  squaredNormsCompact(rows: number, offsets: number, values: number, high: number, low: number, out: number): void;
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
  squaredNormsSparse(rows: number, offsets: number, values: number, out: number): void;
  squaredNormsDense(rows: number, values: number, dimension: number, out: number): void;
  parseLibsvm(
    text: number,
    offsets: number,
    rowCapacity: number,
    indices: number,
    values: number,
    capacity: number,
    labels: number,
    report: number,
  ): number;
  parseLibsvmCompact(
    high: number,
    low: number,
    text: number,
    offsets: number,
    rowCapacity: number,
    indices: number,
    values: number,
    capacity: number,
    labels: number,
    report: number,
  ): number;
  parseVwNamed(
    text: number,
    offsets: number,
    rowCapacity: number,
    indices: number,
    values: number,
    capacity: number,
    labels: number,
    importance: number,
    places: number,
    slots: number,
    slotCount: number,
    arena: number,
    arenaBytes: number,
    state: number,
    frozen: number,
    report: number,
  ): number;
  parseVwHashed(
    text: number,
    offsets: number,
    rowCapacity: number,
    indices: number,
    values: number,
    capacity: number,
    labels: number,
    importance: number,
    places: number,
    bits: number,
    report: number,
  ): number;
  intern(
    name: number,
    length: number,
    slots: number,
    slotCount: number,
    arena: number,
    arenaBytes: number,
    state: number,
    frozen: number,
  ): number;
}
