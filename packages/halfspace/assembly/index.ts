// The kernels of halfspace, compiled to one WebAssembly module. The contract, and what each function computes, is written in
// src/kernels/kernels.ts; the same loops in plain TypeScript are in src/kernels/reference.ts and give the same bits.
//
// `@ts-ignore: decorator` stands wherever a function is inlined: AssemblyScript decorates functions, which TypeScript, whose editors
// read these files too, does not know.

export { allocate, release } from './memory';
export { compact } from './compact';
export { learn } from './learn';
export { learnSgd } from './sgd';
export { learnArow } from './arow';
export { score, squaredNorms } from './score';
export { parseLibsvm } from './libsvm';
export { parseVwHashed, parseVwNamed } from './vw';
export { intern } from './names';
