// The kernels of halfspace, compiled to one WebAssembly module. The contract, and what each function computes, is written in
// src/kernels/kernels.ts; the same loops in plain TypeScript are in src/kernels/reference.ts and give the same bits.

export { allocate, release } from './memory';
export { learnSparse, learnDense } from './learn';
export { scoreSparse, scoreDense, squaredNormsSparse, squaredNormsDense } from './score';
export { parseLibsvm } from './libsvm';
export { parseVwHashed, parseVwNamed } from './vw';
export { intern } from './names';
