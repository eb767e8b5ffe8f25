// The kernels of halfspace, compiled to one WebAssembly module. Their contract is in src/kernels/kernels.ts;
// src/kernels/reference.ts has the same loops in plain TypeScript, with the same bits.
//
// `@ts-ignore: decorator` stands before inlined functions: AssemblyScript decorates functions, which TypeScript (used
// by editors) does not allow.

export { allocate, release } from './memory';
export { compact } from './compact';
export { copyPicked, countPicked } from './gather';
export { learn } from './learn';
export { learnSgd } from './sgd';
export { learnMultinomial } from './multinomial';
export { learnArow } from './arow';
export { score, squaredNorms } from './score';
export { parseLibsvm } from './libsvm';
export { parseVwHashed, parseVwNamed } from './vw';
export { internNames, renumber } from './names';
