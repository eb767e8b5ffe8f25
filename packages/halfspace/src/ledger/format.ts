/**
 * The form of a ledger file.
 *
 *     "halfspace-ledger 1\n"
 *     blocks: kind (1 byte), length of what follows (4 bytes, little-endian), that many bytes
 *
 * Kinds: `H` what the run is about to do, once and first (JSON); `U` updates and ends of passes (update-block.ts); `R` all updates before
 * count no more (empty); `E` what the run did, once and last (JSON). All but `R` are compressed with gzip, each on its own, whose checksums
 * tell damaged blocks; so a file that is cut can be read up to its last whole block.
 */
export const ledgerMagic = 'halfspace-ledger 1\n';

export const blockKind = { opening: 0x48, updates: 0x55, restart: 0x52, closing: 0x45 } as const;

/** Bytes before what a block holds. */
export const blockHead = 5;

/** Updates that a block has at most. */
export const blockUpdates = 1 << 16;

/** A block holds no more than this, compressed or not: who reads a damaged length asks for no more memory. */
export const largestBlock = 1 << 28;

/** Text as it begins a file. */
export const ledgerName = 'halfspace-ledger ';
