/** The time in an event's id. */
export function timeInId(eventId: unknown): number {
  return Number.parseInt(String(eventId).slice(0, 13).replace('-', ''), 16);
}
