/** The time that an event's id contains, in milliseconds since 1970. */
export function timeInId(eventId: unknown): number {
  return Number.parseInt(String(eventId).slice(0, 13).replace('-', ''), 16);
}
