export type { AppendFile, Disk } from './disk/disk.ts';
export * from './models/contract.ts';
