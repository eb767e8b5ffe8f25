export type { AppendFile, Disk } from './disk/disk.ts';
export * from './models/contract.ts';
export { memoryModels, type OpenModelsOptions, openModels } from './models/open-models.ts';
export type { Note } from './models/settings.ts';
