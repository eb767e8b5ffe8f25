// Numbers that the kernels and their callers share. AssemblyScript compiles this file too, so it holds constants only.

// A learner's state: positions of doubles in `LearnerMemory.state`. Every rule has the first ten and `tie`.
export const bias = 0;
/** Sum for the mean of the bias: Σ clock · step · c; of sgd, Σ bias · time. */
export const biasSum = 1;
/** c: the constant feature's value; 0 for no bias. */
export const biasConstant = 2;
/** Importance shown so far: the time of averaging. */
export const clock = 3;
/** Number of updates. */
export const updates = 4;
/** Number of examples that were misclassified before the update. */
export const mistakes = 5;
/** Number of examples shown. */
export const examples = 6;
/** Number of examples shown since the last update. */
export const cleanStreak = 7;
/** Learning stops when `cleanStreak` reaches this. */
export const cleanStreakLimit = 8;
/** Learning stops when `updates` reaches this. */
export const updateLimit = 9;
/** The class of score 0, −1 or +1. */
export const tie = 12;

// The state of mistake-driven rules.
/** The condition of an update: `updateAtMost`, `updateBelow` or `updateSignDiffers`. */
export const condition = 10;
/** τ of the conditions that compare y·a with it. */
export const threshold = 11;
/** The kind of step: one of `stepPerceptron` … `stepSoftened`. */
export const stepKind = 13;
/** C of the step kinds that have one. */
export const aggressiveness = 14;
/** Length of the state of mistake-driven rules and of arow. */
export const stateSize = 16;

// The state of arow.
/** r */
export const r = 13;
/** The variance of the bias; 1 at first. */
export const biasVariance = 14;

// The state of sgd.
/** One of `lossPerceptron` … `lossModifiedHuber`. */
export const loss = 10;
/** One of `scheduleConstant` … `scheduleAdaptive`. */
export const schedule = 11;
/** η₀ */
export const rate = 13;
/** p of `scheduleInverseScaling`. */
export const power = 14;
/** α; 0 for no penalty. */
export const alpha = 15;
/** ρ: the share of the penalty that is L1. */
export const l1Ratio = 16;
/** Σ η·h, which the penalty is proportional to. Not used by the adaptive schedule, whose rates are in the records. */
export const penaltyClock = 17;
/** Adaptive: Σ g² of the bias. */
export const biasSquares = 18;
/** 1 if sums are kept for the mean. */
export const averaging = 19;
/** Length of the state of sgd. */
export const sgdStateSize = 20;

// Conditions of an update, for label y, score a and threshold τ.
/** y·a ≤ τ */
export const updateAtMost = 0;
/** y·a < τ */
export const updateBelow = 1;
/** y ≠ sgn(a) with sgn(0) = +1: lecture 9's algorithm 2. */
export const updateSignDiffers = 2;

// Kinds of steps: g = τ·y, for the loss ℓ = 1 − y·a, n = ‖x‖² + c·c and importance h. If n = 0, because x is 0 and
// there is no bias, there is no update. If n overflows, τ is NaN.
/** τ = h */
export const stepPerceptron = 0;
/** τ = ℓ / n: PA */
export const stepWhole = 1;
/** τ = min(h·C, ℓ / n): PA-I */
export const stepCapped = 2;
/** τ = ℓ / (n + 1 / (2·h·C)): PA-II */
export const stepSoftened = 3;

// The losses of sgd, with f = −∂L/∂m at m = y·a. No step if f is 0.
/** max(0, −m): f = 1 for m ≤ 0 */
export const lossPerceptron = 0;
/** max(0, 1 − m): f = 1 for m ≤ 1 */
export const lossHinge = 1;
/** max(0, 1 − m)²: f = 2(1 − m) for m < 1 */
export const lossSquaredHinge = 2;
/** ln(1 + e^−m): f = 1 / (1 + e^m) */
export const lossLogistic = 3;
/** max(0, 1 − m)² for m ≥ −1, −4m below: f = 4 below */
export const lossModifiedHuber = 4;

// The rates of sgd.
/** η = η₀ */
export const scheduleConstant = 0;
/** η = η₀ / (1 + T)^p */
export const scheduleInverseScaling = 1;
/** η = η₀ / √Σg², for each feature separately */
export const scheduleAdaptive = 2;

// A feature's record of sgd, in doubles: its state after the last example with the feature that made a step, or, with a
// penalty, counted. A step costs one square root and no division; reading a weight one division and no square root.
/** Adaptive: the weight times √Σg², or the weight while that is 0. Otherwise the weight. See `penalised`. */
export const recordScaled = 0;
/** Adaptive: √Σg² of the feature's gradients. Otherwise the squared clock at that time. */
export const recordSecond = 1;
/** Σ weight · time, for the mean. */
export const recordSum = 2;
/** The `penaltyClock` at that time; for the adaptive schedule the clock. */
export const recordSettled = 3;
export const recordSize = 4;

// The records of the multinomial loss. Classes are padded to an even number, the stride, so that kernels can take two
// at a time; the padding stays 0. A feature has `jointHead` doubles, then `jointColumns` columns of a stride. All its
// weights are settled together.
/** As `recordSettled`. */
export const jointSettled = 0;
/** The squared clock at that time. */
export const jointAge = 1;
export const jointHead = 2;
/** Columns by class: as `recordScaled`; adaptive: √Σg², else unused; as `recordSum`. */
export const jointScaled = 0;
export const jointRoot = 1;
export const jointSum = 2;
export const jointColumns = 3;

// An update in `MistakeDrivenMemory.log`, in doubles. The number of entries precedes them.
/** Position in `order`, or in the batch if `order` is null. */
export const entryPlace = 0;
/** The score a before the update. */
export const entryScore = 1;
/** The signed step g. */
export const entryStep = 2;
export const entrySize = 3;

// Layouts of rows.
export const sparseRows = 0;
/** Doubles, zeros included. */
export const denseRows = 1;
/** 16-bit indices, and values as 32-bit multiples of a negative power of ten. */
export const compactRows = 2;
/** Like dense rows, in 32-bit floats. */
export const singleRows = 3;

// A batch for kernels, or room for the rows of a text kernel, in 32-bit words. Arrays are addresses.
export const batchLayout = 0;
/** Number of rows; for room, the largest number. */
export const batchRows = 1;
export const batchDimension = 2;
/** Address of the offsets; 0 for dense rows. Offsets are positions in `batchIndices` and `batchValues`. */
export const batchOffsets = 3;
export const batchIndices = 4;
export const batchValues = 5;
export const batchLabels = 6;
/** 0: every example counts once. */
export const batchImportance = 7;
/** Address of two doubles, high and low: a compact value m stands for m·high + m·low, see decimal-places.ts. */
export const batchScale = 8;
/** For room: the largest number of values. */
export const batchStored = 9;
export const batchSize = 10;

// The list of a row's nonzeros (assembly/nonzeros.ts): bytes of each place, and behind all places.
export const listPlaceBytes = 20;
export const listEndBytes = 32;

// `NameTableMemory.state`, in 32-bit words.
/** Number of names in the table. */
export const nameCount = 0;
/** Number of used bytes of the arena. */
export const nameBytes = 1;
/** The part that was too small when a kernel had no room: 0 none, `lacksSlots`, `lacksBytes`. */
export const nameLacking = 2;
/** 1 + the position in the arena of a name in the namespace of `NameTableMemory.decimals`; 0: it is empty. */
export const nameDecimal = 3;
export const nameStateSize = 4;
/** Bytes of an entry of the arena before the name. */
export const nameHeaderBytes = 8;
/** The number of names of one to five digits. */
export const decimalNames = 111110;
export const lacksSlots = 1;
export const lacksBytes = 2;

// The report of a text kernel, in doubles: it reads the first group and writes the second.
/** First byte to read. */
export const reportFrom = 0;
/** End of the bytes to read. */
export const reportTo = 1;
/** 1 if no more bytes will follow, so that a last line without a line feed counts. */
export const reportLast = 2;

/** The first byte of the first line that was not accepted. */
export const reportConsumed = 3;
/** Number of examples written. */
export const reportRows = 4;
/** Number of values written. */
export const reportStored = 5;
/** Number of accepted lines, blank and comment lines included. */
export const reportLines = 6;
/** 1 + the largest index written. */
export const reportDimension = 7;
/** The first byte of the fault of a refused line. */
export const reportFaultFrom = 8;
/** The end of the fault. */
export const reportFaultTo = 9;
/** 1 if an importance other than 1 was read. */
export const reportWeighted = 10;
/** 1 if index 0 was read. */
export const reportZeroIndex = 11;
export const reportSize = 16;

/** The decimal places of compact rows read from text: enough for most libsvm text, and quick to check. */
export const parsedPlaces = 6;

// How a text kernel ended. From `statusFirstFault` on, the line at `reportConsumed` is refused.
/** All complete lines are taken. */
export const statusDone = 0;
/** The room is full; call again with empty room. */
export const statusFull = 1;
/** One line has more values than there is room for: enlarge the room and call again. */
export const statusEnlarge = 2;
/** One line has more feature names than the name table holds: enlarge it and call again. */
export const statusEnlargeNames = 3;
/** A line has an index or a value that compact rows cannot have: call again for sparse rows. */
export const statusNotCompact = 4;
export const statusFirstFault = 16;
export const statusBinary = 16;
export const statusLabel = 17;
export const statusNumber = 18;
export const statusNotFinite = 19;
export const statusColon = 20;
export const statusIndex = 21;
export const statusIndexRange = 22;
export const statusIndexOrder = 23;
export const statusQid = 24;
export const statusImportance = 25;
export const statusBar = 26;
export const statusUtf8 = 27;
export const statusManyLabels = 28;
/** A base that is not 0. */
export const statusBase = 29;
