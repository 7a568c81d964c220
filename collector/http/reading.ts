/** What of the views a request may see: the limits of its caller's token. Every route that answers from views goes by this. */
import type { FastifyRequest } from 'fastify';
import { readConditions } from '../auth/access.ts';
import { limitViews } from '../auth/limited-views.ts';
import type { Condition, Views } from '../views/views.ts';
import { callerOf } from './access.ts';

export interface Reading {
  /** As if there were nothing else. */
  readonly views: Views;
  /** For questions that look into documents by themselves, and cell by cell: they ask all views, and add these to what they look for. */
  readonly where: readonly Condition[];
}

export function readingOf(request: FastifyRequest, views: Views): Reading {
  const where = readConditions(callerOf(request));
  return { views: limitViews(views, where), where };
}
