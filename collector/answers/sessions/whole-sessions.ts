/**
 * Sessions whose contexts a caller may see. A context goes back to the session's first entry and
 * names files, so a limited caller sees only sessions that were always within the limit, not one
 * that came from another project.
 */

import type { SessionState } from '../../projections/session/document.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, ViewDocument } from '../../views/views.ts';
import type { AskedSession } from '../contexts/contexts.ts';
import { findLineages } from '../contexts/lineage.ts';
import type { VisibleViews } from '../views/visible-views.ts';

export interface WholeSession extends AskedSession {
  readonly state: SessionState;
}

/** Those of the sessions that the caller may see in full. */
export async function wholeSessions(
  { views, sessions, where }: VisibleViews,
  documents: readonly ViewDocument[],
): Promise<readonly WholeSession[]> {
  const isWhole = (document: ViewDocument): boolean =>
    where.length === 0 || isWithin(sessions.decode(document.body), where);
  const seen = documents.filter(isWhole);
  const lineages = await findLineages(views, seen, where.length === 0 ? null : isWhole);
  return seen.map((document, index) => ({
    state: sessions.decode(document.body),
    lineage: lineages[index] ?? [''],
    host: hostOf(document),
  }));
}

export function hostOf({ columns }: ViewDocument): AskedSession['host'] {
  return columns.host === 'omp' ? 'omp' : 'pi';
}

function isWithin(
  { timeline: { attributions } }: SessionState,
  where: readonly Condition[],
): boolean {
  return (
    attributions.length > 0 &&
    attributions.every(({ facts: { user, project } }) =>
      fits({ user, project: project.name }, where),
    )
  );
}
