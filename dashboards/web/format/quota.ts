/** When a quota window is full at its rate so far; what was told may be of a while ago. */
export function fullWords(fullAt: string, nowMs: number, format: (iso: string) => string): string {
  const words = Date.parse(fullAt) <= nowMs ? 'likely full since' : 'full';
  return `${words} ${format(fullAt)}`;
}
