/** What the view of models and tools asks. */
import { type Ask, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import { stepOf } from '../overview/steps.ts';
import type { AsksOfView, Today } from '../view.ts';

/** As a provider names it; null: not known. */
export interface ModelName {
  readonly provider: string | null;
  readonly model: string | null;
}

/** Not narrowed by labels. */
function ofModels(place: Place, today: Today) {
  const { project, user, provider, model, host } = filtersIn(place);
  return { project, user, provider, model, host, ...between(periodIn(place, today)), limit: 1_000 };
}

export function modelsAsk(place: Place, today: Today) {
  return ask('/v1/models', ofModels(place, today));
}

/** By day: whether they are as fast as they were. */
export function speedAsk(place: Place, today: Today) {
  return ask('/v1/models/days', ofModels(place, today));
}

export function toolsAsk(place: Place, today: Today) {
  const { project, user, host } = filtersIn(place);
  const period = between(periodIn(place, today));
  return ask('/v1/tools', { project, user, host, ...period, limit: 1_000 });
}

export function toolModelsAsk(place: Place, today: Today) {
  return ask('/v1/tools/models', ofModels(place, today));
}

export function toolCostsAsk(place: Place, today: Today) {
  return ask('/v1/tools/costs', ofModels(place, today));
}

export const toolCostChoices = [
  { value: 'model', words: 'model' },
  { value: 'tool', words: 'tool' },
] as const;

export function toolCostsBy({ parameters }: Place): 'model' | 'tool' {
  return parameters.tools === 'tool' ? 'tool' : 'model';
}

/** By model or over all, as chosen. */
export function toolCostsShown(place: Place, today: Today): Ask<unknown> {
  return toolCostsBy(place) === 'tool' ? toolCostsAsk(place, today) : toolModelsAsk(place, today);
}

/** What caches saved stands beside what was spent. */
export function cachesAsk(place: Place, today: Today) {
  const period = between(periodIn(place, today));
  return ask('/v1/usage', { by: 'provider,model', ...period, ...filtersIn(place), limit: 1_000 });
}

export const requestsShown = 20;

export const requestChoices = [
  { value: 'all', words: 'all' },
  { value: 'failed', words: 'failed' },
] as const;

export function requestsOf({ parameters }: Place): 'all' | 'failed' {
  return parameters.requests === 'failed' ? 'failed' : 'all';
}

/** Sessions are read for it: not narrowed by labels. */
export function requestsAsk(place: Place, today: Today) {
  const { label: _, ...filters } = filtersIn(place);
  const period = between(periodIn(place, today));
  const only = requestsOf(place) === 'failed' ? 'failed' : undefined;
  return ask('/v1/requests', { ...filters, ...period, only, limit: requestsShown });
}

/** By week where the days would be too many for one answer. */
export function failuresAsk(place: Place, today: Today) {
  const period = periodIn(place, today);
  const filters = { ...filtersIn(place), stopReason: ['error', 'aborted'] };
  const by = `${stepOf(period)},stopReason`;
  return ask('/v1/usage', { by, ...between(period), ...filters, limit: 1_000 });
}

/** What one model was charged, by day and billing: its prices. Not narrowed by labels. */
export function chargesAsk(place: Place, today: Today, of: ModelName) {
  const { project, user, host } = filtersIn(place);
  const period = between(periodIn(place, today));
  const { provider, model } = of;
  const by = { provider: provider ?? '', model: model ?? '' };
  return ask('/v1/usage/rows', { ...period, project, user, host, ...by, limit: 1_000 });
}

/** Writes the query of `POST /v1/reprice`. */
export function repriceQuery(place: Place, today: Today): string {
  const { timezone: _, ...filters } = filtersIn(place);
  const period = between(periodIn(place, today));
  const { url } = ask('/v1/usage', { by: 'provider,model', ...period, ...filters });
  return url.slice(url.indexOf('?'));
}

/** What repricing does not follow, as words: days are those that the spenders had. */
export function repricedBesides({ parameters }: Place): string | undefined {
  const labels = Object.keys(parameters).filter((name) => name.startsWith('label:'));
  const missed = [
    ...(parameters.tz === undefined ? [] : ['not narrowed by tz']),
    ...(labels.length === 0 ? [] : [`prices not narrowed by ${labels.join(', ')}`]),
  ];
  return missed.length === 0 ? undefined : missed.join('; ');
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
  toolCostsShown(place, today),
  cachesAsk(place, today),
  failuresAsk(place, today),
  requestsAsk(place, today),
];
