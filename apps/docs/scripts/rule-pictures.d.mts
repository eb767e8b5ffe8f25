export declare const drawn: Readonly<Record<string, unknown>>;
export declare function drawRule(name: string): Promise<string>;
