export const FIRST_TEXTS: Record<string, string[]>;
export function textFile(module: string): string | null;
