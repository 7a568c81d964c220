/** What the scope bar says, as parameters of the API. */
import type { AskParameters } from '../api/ask.ts';
import type { Today } from '../views/view.ts';
import { addDays, type Period, periodBefore, periodOf } from './period.ts';
import type { Place } from './place.ts';
import { instantOf } from './today.ts';

/** The filters of the scope bar: names as in the URL and in the API. */
export const filterNames = ['project', 'user', 'provider', 'model', 'host'] as const;
export type FilterName = (typeof filterNames)[number];

export function periodIn({ parameters }: Place, { day, latest, first }: Today): Period {
  return periodOf(parameters.range, day, latest, first);
}

/** The filters and the time zone, without a period. */
export function filtersIn({ parameters }: Place): AskParameters {
  const labels = Object.entries(parameters).flatMap(([name, value]) =>
    name.startsWith('label:') ? [`${name.slice('label:'.length)}=${value}`] : [],
  );
  return {
    ...Object.fromEntries(filterNames.map((name) => [name, parameters[name]])),
    label: labels,
    timezone: parameters.tz,
  };
}

/**
 * As many days before; where today is in the period, until the end of the same hour, so that a day
 * that is not over is not compared with a whole one.
 */
export function beforeIn(place: Place, today: Today): Pick<Period, 'since' | 'until'> {
  const period = periodIn(place, today);
  const { since, until } = periodBefore(period);
  const { reached } = today;
  if (reached === undefined || !hasToday(period, today.day)) return { since, until };
  const day = addDays(today.day, -period.days);
  return { since, until: instantOf(day, reached.hour + 1, reached.timeZone) };
}

/** `the 30 days before, until the same hour` */
export function beforeWords(place: Place, today: Today): string {
  const period = periodIn(place, today);
  const days = period.days === 1 ? 'the day before' : `the ${period.days} days before`;
  const isPartial = today.reached !== undefined && hasToday(period, today.day);
  return isPartial ? `${days}, until the same hour` : days;
}

function hasToday({ since, until }: Period, today: string): boolean {
  return since <= today && today <= until;
}

/** What is asked of a period. */
export function between({ since, until, latest = until }: Days): Pick<Period, 'since' | 'until'> {
  return { since, until: latest };
}

type Days = Pick<Period, 'since' | 'until'> & Partial<Pick<Period, 'latest'>>;
