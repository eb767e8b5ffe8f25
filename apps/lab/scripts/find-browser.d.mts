export function findBrowser(): string | null;
export function findOrInstallBrowser(): string;
