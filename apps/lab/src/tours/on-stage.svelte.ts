import type { TourPlayer } from './player.svelte.ts';

/** The player of the open tour, for the presenter; null: no tour is open. */
export const onStage: { player: TourPlayer | null } = $state({ player: null });
