/** What the audit of compactions asks. */
import { type Ask, type AskParameters, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import type { AsksOfView, Today } from '../view.ts';

/** Which rows the table has; the words stand in the URL. */
export const narrowings = [
  { value: 'all', words: 'all' },
  { value: 'lost', words: 'did not pay' },
  { value: 'again', words: 'read again' },
  { value: 'unreported', words: 'unreported' },
] as const;
export type Narrowing = (typeof narrowings)[number]['value'];

const narrowed: Readonly<Record<Narrowing, AskParameters>> = {
  all: {},
  lost: { net: 'negative' },
  again: { regret: 'some' },
  unreported: { cost: 'unreported' },
};

/** One page of the API; totals are over all that fits. */
const rowsMax = 1_000;

export function compactionsAsk(place: Place, today: Today, narrowing: Narrowing, cursor?: string) {
  return ask('/v1/compactions', {
    ...between(periodIn(place, today)),
    ...filtersIn(place),
    ...narrowed[narrowing],
    limit: rowsMax,
    cursor,
  });
}

/** `id`: of a compaction, or the start of one. */
export function compactionAsk(id: string) {
  return ask('/v1/compactions/{id}', { id });
}

export const compactionsAsks: AsksOfView = (place, today): readonly Ask<unknown>[] => {
  const { only, show } = place.parameters;
  const narrowing = narrowings.find(({ value }) => value === only)?.value ?? 'all';
  return [
    compactionsAsk(place, today, 'all'),
    ...(narrowing === 'all' ? [] : [compactionsAsk(place, today, narrowing)]),
    ...(show === undefined ? [] : [compactionAsk(show)]),
  ];
};
