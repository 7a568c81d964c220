/**
 * Which sessions, and which rows of the audit, the log says have changed while the views moved.
 *
 * A document changes only by an event whose key it is, so the events between two positions of the
 * views name all that changed.
 */
import type { Log } from '../../../log/log.ts';
import type { StoredEvent } from '../../../log/stored-event.ts';
import { compactions } from '../../../projections/compactions.ts';
import { context } from '../../../projections/context.ts';
import type { Projection } from '../../../projections/projection.ts';
import { sessions } from '../../../projections/sessions.ts';
import type { ViewPositions } from '../../views/view-positions.ts';

export interface Changes {
  readonly sessions: ReadonlySet<string>;
  /** Keys of the projection `compactions`. */
  readonly rows: ReadonlySet<string>;
}

/** More are not read: to look whether a session has changed is cheaper then. */
const eventsMax = 10_000;
const eventsPerReadMax = 1_000;
const charsPerRead = 8 * 1024 * 1024;

/** What rows of the audit are made of. */
export const ofAudits: readonly Projection[] = [sessions, context, compactions];

/** Returns null where changes are unknown or too many. Positions fall when a store is put back. */
export async function changesBetween(
  log: Pick<Log, 'read'>,
  from: ViewPositions,
  to: ViewPositions,
): Promise<Changes | null> {
  if (from.generations !== to.generations) return null;
  const changes = { sessions: new Set<string>(), rows: new Set<string>() };
  let left = eventsMax;
  for (const [part, reached] of to.parts.entries()) {
    const before = from.parts[part] ?? [];
    if (reached.every((position, view) => position === before[view])) continue;
    if (reached.some((position, view) => position < (before[view] ?? 0))) return null;
    const [after, until] = [Math.min(...before), Math.max(...reached)];
    left -= until - after;
    if (left < 0 || !(await addChanges(log, { after, until }, changes))) return null;
  }
  return changes;
}

interface Span {
  readonly after: number;
  readonly until: number;
}

/** False: some of these events were deleted. */
async function addChanges(
  log: Pick<Log, 'read'>,
  { after, until: end }: Span,
  changes: { readonly sessions: Set<string>; readonly rows: Set<string> },
): Promise<boolean> {
  for (let at = after; at < end; ) {
    const events = await log.read(at, Math.min(end - at, eventsPerReadMax), charsPerRead);
    for (const stored of events) {
      if (stored.position !== at + 1 || at === end) return false;
      at += 1;
      addChange(stored, changes);
    }
    if (events.length === 0) return false;
  }
  return true;
}

/** A damaged event is in no view. */
function addChange(
  stored: StoredEvent,
  { sessions: changed, rows }: { readonly sessions: Set<string>; readonly rows: Set<string> },
): void {
  if (stored.damage !== undefined) return;
  changed.add(stored.event.subject.toWellFormed());
  const row = compactions.key(stored);
  if (row !== null) rows.add(row);
}
