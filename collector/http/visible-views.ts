/** The views as the token of a request may see them. Every route that reads views uses this. */
import type { FastifyRequest } from 'fastify';
import { readConditions } from '../auth/access.ts';
import { type LargeGroups, withoutSmallGroups } from '../queries/rows/small-groups.ts';
import { type VisibleViews, visibleViews } from '../queries/visible-views.ts';
import type { ViewsReader } from '../views/views.ts';
import { callerOf } from './access.ts';

/** Sums without groups of few users, if this request's caller may not see them. */
export function groupsVisibleTo(
  request: FastifyRequest,
  views: ViewsReader,
  { where }: VisibleViews,
): LargeGroups {
  const { usersMin } = callerOf(request);
  return usersMin === 0 ? { views, left: () => 0 } : withoutSmallGroups(views, usersMin, where);
}

export function visibleTo(request: FastifyRequest, views: ViewsReader): VisibleViews {
  return visibleViews(views, readConditions(callerOf(request)));
}
