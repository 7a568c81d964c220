/** What was thrown, in words: it may be anything. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
