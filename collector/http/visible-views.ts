/** The views as the token of a request may see them. Every route that reads views uses this. */
import type { FastifyRequest } from 'fastify';
import { readConditions } from '../auth/access.ts';
import { type VisibleViews, visibleViews } from '../queries/visible-views.ts';
import type { ViewsReader } from '../views/views.ts';
import { callerOf } from './access.ts';

export function visibleTo(request: FastifyRequest, views: ViewsReader): VisibleViews {
  return visibleViews(views, readConditions(callerOf(request)));
}
