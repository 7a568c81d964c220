/** The views as the token of a request may see them. Every route that reads views uses this. */
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { FastifyRequest } from 'fastify';
import { readConditions } from '../../auth/access.ts';
import { requestCaller } from '../../http/access.ts';
import type { ViewsReader } from '../../views/views.ts';
import { expectLargeGroups, type LargeGroups, withoutSmallGroups } from '../usage/small-groups.ts';
import type { UsageViews } from './usage-views.ts';
import { type VisibleViews, visibleViews } from './visible-views.ts';

/**
 * Sums of large groups alone, if this request's caller may see no others; else null. Throws if the
 * caller may not ask for this grouping.
 */
export function groupsVisibleTo(
  request: FastifyRequest,
  views: ViewsReader,
  by: readonly Grouping[],
  nowMs: number,
): LargeGroups | null {
  const { usersMin } = requestCaller(request);
  if (usersMin === 0) return null;
  const { timezone } = request.query as { readonly timezone?: string };
  expectLargeGroups(usersMin, by, timezone);
  return withoutSmallGroups(views, usersMin, nowMs);
}

export function visibleTo(request: FastifyRequest, asked: UsageViews): VisibleViews {
  return visibleViews(asked, readConditions(requestCaller(request)));
}
