/**
 * The rows of the audit of all sessions, kept in memory: the first who asks for a period has them
 * computed, and whoever asks next has only those computed that changed since.
 *
 * Contract: rows are current: equal to what is computed from the contexts once the views have come
 * to where they were when it was asked. Whatever cannot be known to be current is computed. Rejects
 * when the store fails. Who asks may see everything.
 */

import type { Compaction } from '@pi-ledger/contract/answers';
import type { Log } from '../../../log/log.ts';
import type { SessionContexts } from '../../contexts/contexts.ts';
import type { UsageViews } from '../../views/usage-views.ts';
import { type ViewPositions, viewPositions } from '../../views/view-positions.ts';
import { type AuditedRow, createAuditedSessions } from './audited-sessions.ts';
import { changesBetween, ofAudits } from './changes.ts';
import { createPlaces, type Place } from './places.ts';
import type { AllTotals } from './totals.ts';

interface PlacedRow extends AuditedRow {
  readonly place: Place;
}

export interface Audits {
  /** Resolves to null when there are too many rows for memory, or no views yet. */
  between(span: TimeSpan): Promise<PlacedRows | null>;
}

interface PlacedRows {
  /** The newest first. */
  readonly rows: readonly PlacedRow[];
  /**
   * What this question finds in them: computed once, until something changes. At most
   * `questionsMax` are remembered.
   */
  once(question: string, find: () => Promise<FoundRows>): Promise<FoundRows>;
}

export interface FoundRows {
  readonly rows: readonly Compaction[];
  readonly totals: AllTotals;
}

/** It is compared with the rows' own times. */
export interface TimeSpan {
  readonly from: string;
  /** Exclusive; null: no end. */
  readonly before: string | null;
}

export interface AuditsOptions extends UsageViews {
  readonly log: Pick<Log, 'read'>;
  readonly contexts: SessionContexts;
}

/** What was answered last, as long as nothing has changed. */
interface Kept {
  readonly span: TimeSpan;
  readonly rows: readonly PlacedRow[];
  /** It keeps what questions found in these rows, by span and question. */
  readonly found: Map<string, Promise<FoundRows>>;
}

const questionsMax = 50;

export function createAudits({ views, sessions, log, contexts }: AuditsOptions): Audits {
  const places = createPlaces(views);
  const audited = createAuditedSessions({ views, sessions }, contexts);
  let followed: ViewPositions | null = null;
  let kept: Kept | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  /** Read again later when it fails midway. */
  async function follow(): Promise<boolean> {
    const reached = await viewPositions(views, ofAudits);
    if (reached === null) return false;
    const changes = followed === null ? null : await changesBetween(log, followed, reached);
    if (changes === null || changes.sessions.size > 0) kept = null;
    if (changes === null) {
      places.clear();
      audited.doubtAll();
    } else {
      await places.renew(changes.rows);
      await audited.doubt(changes.sessions);
    }
    if (places.isFull()) {
      places.clear();
      audited.clear();
      kept = null;
    }
    followed = reached;
    return true;
  }

  /** `later`: some sessions are left. Whoever else asks has a turn first. */
  async function rowsBetween(span: TimeSpan): Promise<PlacedRows | null | 'later'> {
    if (!(await follow()) || !(await places.reach(span.from))) return null;
    if (kept !== null && isPart(span, kept.span)) return placedRows(kept, span);
    const within = places.all().filter(({ time }) => isWithin(time, span));
    if (!(await audited.settle(new Set(within.map(({ session }) => session))))) return 'later';
    const rows = within.flatMap((place) => {
      const row = audited.row(place.session, place.id);
      return row === undefined ? [] : [{ place, ...row }];
    });
    kept = { span, rows, found: new Map() };
    return placedRows(kept, span);
  }

  return {
    async between(span) {
      for (;;) {
        const answer = turn.then(() => rowsBetween(span));
        turn = answer.catch(() => undefined);
        const rows = await answer;
        if (rows !== 'later') return rows;
      }
    },
  };
}

export function isWithin(time: string, { from, before }: TimeSpan): boolean {
  return time >= from && (before === null || time < before);
}

function isPart({ from, before }: TimeSpan, whole: TimeSpan): boolean {
  if (whole.from > from) return false;
  return whole.before === null || (before !== null && before <= whole.before);
}

function placedRows({ rows, found }: Kept, { from, before }: TimeSpan): PlacedRows {
  const first = before === null ? 0 : countSince(rows, before);
  return {
    rows: rows.slice(first, countSince(rows, from)),
    once(question, find) {
      const key = JSON.stringify([from, before, question]);
      const known = found.get(key);
      if (known !== undefined) return known;
      if (found.size >= questionsMax) found.clear();
      const answer = find();
      found.set(key, answer);
      answer.catch(() => found.delete(key));
      return answer;
    },
  };
}

/** How many, of the newest first, happened from then on. */
function countSince(rows: readonly PlacedRow[], time: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as PlacedRow).place.time >= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
