/** Conditions on the rollups of `timings`, which are by day. */
import { LedgerError } from '../../errors.ts';
import type { Condition } from '../../views/views.ts';
import { filterConditions, parseMoment, periodConditions } from '../filters/conditions.ts';
import type { Filters, Period } from '../filters/filters.ts';

export type TimingsQuestion = Pick<Filters, 'project' | 'user' | 'host'> & Period;
export type ModelsQuestion = TimingsQuestion & Pick<Filters, 'provider' | 'model'>;

/** Throws `bad_parameter` for a period that does not consist of days. */
export function timingsConditions(question: ModelsQuestion): readonly Condition[] {
  for (const field of ['since', 'until'] as const)
    if (parseMoment(field, question[field])?.kind === 'hour') throw notADay(field);
  const columns = { project: 'project', user: 'user', host: 'host' };
  return [
    ...filterConditions(question, { ...columns, provider: 'provider', model: 'model' }),
    ...periodConditions(question, { day: 'day', hour: 'day' }),
  ];
}

function notADay(field: 'since' | 'until'): LedgerError {
  return new LedgerError('bad_parameter', {
    field,
    message: `${field}: must be a day (2026-11-22): models, tools and runs are counted by day.`,
  });
}
