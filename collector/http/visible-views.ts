/** The views as the token of a request may see them, where no session's document is read. */
import type { FastifyRequest } from 'fastify';
import { readConditions } from '../auth/access.ts';
import { limitViews } from '../auth/limited-views.ts';
import type { ViewsReader } from '../views/views.ts';
import { requestCaller } from './access.ts';

export function viewsVisibleTo(request: FastifyRequest, views: ViewsReader): ViewsReader {
  return limitViews(views, readConditions(requestCaller(request)));
}
