/** What the scope bar says, as parameters of the API. */
import type { AskParameters } from '../api/ask.ts';
import { type Period, periodOf } from './period.ts';
import type { Place } from './place.ts';

/** The filters of the scope bar: names as in the URL and in the API. */
export const filterNames = ['project', 'user', 'model', 'host'] as const;
export type FilterName = (typeof filterNames)[number];

export function periodIn({ parameters }: Place, today: string): Period {
  return periodOf(parameters.range, today);
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

/** Labels are of records: what has no such filter says that it is of any label. */
export function isOfLabels({ parameters }: Place): boolean {
  return Object.keys(parameters).some((name) => name.startsWith('label:'));
}

export function between({ since, until }: Period): AskParameters {
  return { since, until };
}
