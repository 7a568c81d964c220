/** What was spent: sums of the rollup `usage`, as a question narrows them. */
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow, TallyRow } from '../../views/views.ts';
import { periodConditions, usageConditions } from '../filters/conditions.ts';
import type { Period, UsageFilters } from '../filters/filters.ts';
import { labelConditions } from '../filters/label-filter.ts';
import { expectTimeZone } from '../filters/time-zone.ts';
import type { UsageViews } from '../views/usage-views.ts';
import type { ComputedOptions } from './computed.ts';
import { sumInZone, wholeHoursIn } from './zoned.ts';

export type ReportViews = UsageViews & ComputedOptions;

export interface UsageQuestion extends UsageFilters, Period {
  /**
   * IANA name: counts everybody's days, weeks and months in this zone instead of each spender's
   * own.
   */
  readonly timezone?: string;
}

/** The rollup's sums by these dimensions, as the question narrows them. */
export async function sumUsage(
  asked: UsageViews,
  by: readonly string[],
  question: UsageQuestion,
  limits: readonly Condition[],
): Promise<readonly SumRow[]> {
  const dimensions = [...new Set(by)];
  const { filters, inPeriod } = await conditionsOf(asked, question, limits);
  if (question.timezone !== undefined) {
    return sumInZone(asked, {
      dimensions,
      zone: expectTimeZone(question.timezone),
      filters,
      period: question,
    });
  }
  return asked.views.sum(asked.sessions, usage, {
    by: dimensions,
    where: [...filters, ...inPeriod],
  });
}

/**
 * In how many sessions there is such a sum, by these dimensions. Null: nobody can tell but by the
 * sums themselves, since midnight cuts an hour or days are a time zone's.
 */
export async function tallySessions(
  asked: UsageViews,
  by: readonly string[],
  question: UsageQuestion,
  limits: readonly Condition[],
): Promise<readonly TallyRow[] | null> {
  const { timezone } = question;
  const inHours = timezone === undefined ? [] : wholeHoursIn(expectTimeZone(timezone), question);
  if (inHours === null || (timezone !== undefined && by.includes('day'))) return null;
  const { filters, inPeriod } = await conditionsOf(asked, question, limits);
  return asked.views.tally(asked.sessions, usage, {
    by: [...new Set(by)],
    where: [...filters, ...inPeriod, ...inHours],
    of: 'session',
  });
}

/** `inPeriod`: of spenders' own days; none in a time zone. */
async function conditionsOf(
  asked: UsageViews,
  question: UsageQuestion,
  limits: readonly Condition[],
) {
  const named = [...usageConditions(question), ...limits];
  const inPeriod =
    question.timezone === undefined ? periodConditions(question, { day: 'day', hour: 'hour' }) : [];
  const labels = await labelConditions(asked, question, [...named, ...inPeriod]);
  return { filters: [...named, ...labels], inPeriod };
}
