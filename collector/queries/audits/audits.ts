/**
 * The rows of the audit of all sessions, kept in memory: the first who asks for a period has them
 * computed, and whoever asks next has only those computed that changed since.
 *
 * Contract: rows are current: equal to what is computed from the contexts once the views have come
 * to where they were when it was asked. Whatever cannot be known to be current is computed. Rejects
 * when the store fails. Who asks may see everything.
 */
import type { Log } from '../../log/log.ts';
import type { ViewsReader } from '../../views/views.ts';
import type { SessionContexts } from '../session-contexts/contexts.ts';
import { type AuditedRow, createAuditedSessions } from './audited-sessions.ts';
import { createPlaces, type Place } from './places.ts';
import { changesBetween, type Standing, standingOf } from './standing.ts';

export interface PlacedRow extends AuditedRow {
  readonly place: Place;
}

export interface Audits {
  /** The newest first. Null: too many for memory, or there are no views yet. */
  between(span: TimeSpan): Promise<readonly PlacedRow[] | null>;
}

/** Of the rows' own times. */
export interface TimeSpan {
  readonly from: string;
  /** Exclusive; null: no end. */
  readonly before: string | null;
}

export interface AuditsOptions {
  readonly views: ViewsReader;
  readonly log: Pick<Log, 'read'>;
  readonly contexts: SessionContexts;
}

export function createAudits({ views, log, contexts }: AuditsOptions): Audits {
  const places = createPlaces(views);
  const audited = createAuditedSessions(views, contexts);
  let stood: Standing | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Read again later when it fails midway. */
  async function follow(): Promise<boolean> {
    const standing = await standingOf(views);
    if (standing === null) return false;
    const changes = stood === null ? null : await changesBetween(log, stood, standing);
    if (changes === null) {
      places.clear();
      audited.doubtAll();
    } else {
      await places.renew(changes.rows);
      await audited.doubt(changes.sessions);
    }
    stood = standing;
    return true;
  }

  async function rowsBetween(span: TimeSpan): Promise<readonly PlacedRow[] | null> {
    if (!(await follow()) || !(await places.reach(span.from))) return null;
    const within = places.all().filter(({ time }) => isWithin(time, span));
    await audited.settle(new Set(within.map(({ session }) => session)));
    return within.flatMap((place) => {
      const row = audited.row(place.session, place.id);
      return row === undefined ? [] : [{ place, ...row }];
    });
  }

  return {
    between(span) {
      const answer = turn.then(() => rowsBetween(span));
      turn = answer.catch(() => undefined);
      return answer;
    },
  };
}

export function isWithin(time: string, { from, before }: TimeSpan): boolean {
  return time >= from && (before === null || time < before);
}
