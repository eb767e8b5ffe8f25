import type { Target } from './target.ts';
import { archiveTargets } from './targets/archives.ts';
import { fileTargets } from './targets/files.ts';
import { importTargets } from './targets/imports.ts';
import { serviceTargets } from './targets/services.ts';
import { shardTargets } from './targets/shards.ts';
import { tableTargets } from './targets/tables.ts';
import { textTargets } from './targets/text.ts';

export const targets: readonly Target[] = [
  ...textTargets,
  ...tableTargets,
  ...archiveTargets,
  ...fileTargets,
  ...importTargets,
  ...shardTargets,
  ...serviceTargets,
];
