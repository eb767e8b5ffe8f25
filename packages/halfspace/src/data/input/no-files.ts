/** The access to files of a runtime that has none; see file-access.ts. */
export const files = null;
