/** True in the deep suite, which also runs all files that import this one. */
export const isDeep = process.env.TEST_DEEP === '1';

/** Returns every n-th case in `npm test`, and all of them in the deep suite. */
export const some = <T>(cases: readonly T[], n: number): T[] => cases.filter((_, k) => isDeep || k % n === 0);
