/** What the view of models and tools asks. */
import { type Ask, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import type { AsksOfView, Today } from '../view.ts';

/** As a provider names it; null: not known. */
export interface ModelName {
  readonly provider: string | null;
  readonly model: string | null;
}

export function modelsAsk(place: Place, today: Today) {
  const { project, user, model, host } = filtersIn(place);
  const period = between(periodIn(place, today.day));
  return ask('/v1/models', { project, user, model, host, ...period, limit: 1_000 });
}

export function toolsAsk(place: Place, today: Today) {
  const { project, user, host } = filtersIn(place);
  const period = between(periodIn(place, today.day));
  return ask('/v1/tools', { project, user, host, ...period, limit: 1_000 });
}

/** What caches saved stands beside what was spent. */
export function cachesAsk(place: Place, today: Today) {
  const period = between(periodIn(place, today.day));
  return ask('/v1/usage', { by: 'provider,model', ...period, ...filtersIn(place), limit: 1_000 });
}

export function failuresAsk(place: Place, today: Today) {
  const period = between(periodIn(place, today.day));
  const filters = { ...filtersIn(place), stopReason: ['error', 'aborted'] };
  return ask('/v1/usage', { by: 'day,stopReason', ...period, ...filters, limit: 1_000 });
}

/** What one model was charged by day and billing: its prices. */
export function chargesAsk(place: Place, today: Today, of: ModelName) {
  const period = between(periodIn(place, today.day));
  const { provider, model } = of;
  const by = { provider: provider ?? '', model: model ?? '' };
  return ask('/v1/usage/rows', { ...period, ...by, limit: 1_000 });
}

/** Of `POST /v1/reprice`. */
export function repriceQuery(place: Place, today: Today): string {
  const { timezone: _, ...filters } = filtersIn(place);
  const period = between(periodIn(place, today.day));
  const { url } = ask('/v1/usage', { by: 'provider,model', ...period, ...filters });
  return url.slice(url.indexOf('?'));
}

/** The filters of the scope that these answers cannot be narrowed by, as words. */
export function notNarrowedBy({ parameters }: Place, alsoNot: readonly string[]): string {
  const names = Object.keys(parameters).filter(
    (name) => name.startsWith('label:') || name === 'tz' || alsoNot.includes(name),
  );
  return names.length === 0 ? '' : `not narrowed by ${names.join(', ')}`;
}

export const modelsAsks: AsksOfView = (place, today): readonly Ask<unknown>[] => [
  modelsAsk(place, today),
  toolsAsk(place, today),
  cachesAsk(place, today),
  failuresAsk(place, today),
];
