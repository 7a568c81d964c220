import { UsageError } from './command.ts';

/**
 * `--since` and `--until` as the API takes them: a day (`2026-11-22`, the spender's own) or an instant (ISO, UTC).
 * Here `today`, `yesterday` and `7d` (that many days before today, by the reader's clock) become days; `24h` becomes an instant.
 */
export function resolveMoment(option: string, text: string, now: Date): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) {
    return text;
  }
  const daysBack = text === 'today' ? 0 : text === 'yesterday' ? 1 : numberBefore(text, 'd');
  if (daysBack !== null) {
    return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack));
  }
  const hoursBack = numberBefore(text, 'h');
  const instant = hoursBack === null ? Date.parse(text) : now.getTime() - hoursBack * 3_600_000;
  if (Number.isNaN(instant) || (hoursBack === null && !/^\d{4}-\d{2}-\d{2}T/.test(text))) {
    throw new UsageError(
      `--${option}: expected a day (2026-11-22), an instant (2026-11-22T14:00:00Z), today, yesterday, 7d or 24h, got "${text}"`,
    );
  }
  return new Date(instant).toISOString();
}

function numberBefore(text: string, unit: 'd' | 'h'): number | null {
  const match = /^(\d{1,5})([dh])$/.exec(text);
  return match?.[2] === unit ? Number(match[1]) : null;
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
