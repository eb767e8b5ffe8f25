export type { AppendFile, Disk } from './disk/disk.ts';
export { type AppOptions, createApp } from './http/app.ts';
export type { RequestLimits } from './http/limits.ts';
export * from './models/contract.ts';
export { memoryModels, type OpenModelsOptions, openModels } from './models/open-models.ts';
export type { Note } from './models/settings.ts';
