/** Days and instants as people write them: `2026-11-22`, `2026-11-22T14:00:00Z`. Pure. */

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether it is a day of the calendar: 30 February is not. */
export function isDay(text: string): boolean {
  return dayStartMs(text) !== null;
}

/** Where the day begins in UTC; null if it is not a day of the calendar. */
export function dayStartMs(text: string): number | null {
  const atMs = dayPattern.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text) ? atMs : null;
}

/**
 * Returns null if it is not an instant with a time zone. `Date.parse` takes 30 February for March.
 */
export function instantMs(text: string): number | null {
  if (!instantPattern.test(text) || !isDay(text.slice(0, 10))) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs;
}
