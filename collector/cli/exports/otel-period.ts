import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs } from '@pi-ledger/core/time/units';
import type { Period } from '../../exporters/history.ts';
import { UsageError } from '../command.ts';
import { resolveMoment } from '../period.ts';

/** Days are those of UTC, in which spans have their times. Throws a UsageError. */
export function periodOf(
  { since, until }: { readonly since: string; readonly until?: string | undefined },
  now: Date,
): Period {
  const first = resolveMoment('since', since, now, 'UTC');
  const last = until === undefined ? null : resolveMoment('until', until, now, 'UTC');
  const lastDayMs = last === null ? null : dayStartMs(last);
  const period = {
    sinceMs: dayStartMs(first) ?? Date.parse(first),
    untilMs:
      last === null
        ? Number.POSITIVE_INFINITY
        : lastDayMs === null
          ? Date.parse(last)
          : lastDayMs + dayMs,
  };
  if (period.untilMs <= period.sinceMs) throw new UsageError('--until: it is not after --since.');
  return period;
}
