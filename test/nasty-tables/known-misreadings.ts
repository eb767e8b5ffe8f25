/**
 * Tables that are not read as a person reads them, by the reason. A table stands here for all readers, or for one:
 * `family: name [lab]`. The test holds that no other table is misread, and that these are.
 */
export const knownMisreadings: Readonly<Record<string, readonly string[]>> = {};
