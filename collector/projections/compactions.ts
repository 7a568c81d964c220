/**
 * The projection `compactions`: where to find the rows of the audit (key: the id of the row's
 * event). It holds one small document for each compaction, each failed compaction and each branch
 * summary. The figures are computed from the facts of `context`.
 *
 * Guarantees: a function of the set of events in any order (of moves, the last one counts). The
 * version need not rise for `movedOut`: a ledger of several cells is folded by what knows it.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Projection } from './projection.ts';
import { compareText } from './session/compare-text.ts';
import { movedEntry } from './session/moved.ts';

type AuditKind = 'compaction' | 'branchSummary' | 'failure';

export interface AuditLocation {
  readonly id: string;
  session: string;
  time: string;
  kind: AuditKind;
  /** Empty for a failed compaction, which leaves no entry. */
  entryId: string;
  /**
   * The session no longer has it. With the log's order the next move says where it is, so it stays
   * only where that is in another cell.
   */
  movedOut?: true;
}

export const compactions: Projection<AuditLocation> = {
  name: 'compactions',
  version: 1,
  settings: '',
  rollups: [],
  columns: { session: 'text', happenedAt: 'text', kind: 'text', entryId: 'text' },
  indexes: [['happenedAt'], ['session', 'happenedAt'], ['entryId']],
  key({ event }) {
    const entry = entryIn(event);
    return entry === null || auditKind(entry) === null ? null : entry.id;
  },
  initial: (id) => ({ id, session: '', time: '', kind: 'compaction', entryId: '' }),
  evolve(location, stored) {
    const event = entryIn(stored.event);
    if (event === null) return location;
    location.session = event.subject.toWellFormed();
    location.time = event.time;
    location.kind = auditKind(event) ?? location.kind;
    location.entryId = 'entryId' in event.data ? (event.data.entryId ?? '') : '';
    if (isMovedOut(stored.event)) location.movedOut = true;
    else delete location.movedOut;
    return location;
  },
  columnsOf: ({ session, time, kind, entryId }) => ({ session, happenedAt: time, kind, entryId }),
  encode: (location) => JSON.stringify(location),
  decode: (body) => JSON.parse(body),
  sealing: {
    open: (body, version) => (version === 1 ? JSON.parse(body) : null),
    emit: () => undefined,
    cumulative: [],
  },
  joining: {
    join: (left, right) => (isBetter(right.state, left.state) ? right : left),
    isOnePart: true,
  },
};

/**
 * A moved entry belongs to the session it was moved to; the log's order puts the best owner last.
 */
function entryIn(event: LedgerEvent): LedgerEvent | null {
  if (event.type !== 'pi.entry.moved.v1') return event;
  return event.data.role === 'stay' ? null : movedEntry(event);
}

function isMovedOut(event: LedgerEvent): boolean {
  return event.type === 'pi.entry.moved.v1' && event.data.role === 'out';
}

/**
 * The better location is the one that the entry was not moved away from; else the first by text.
 */
function isBetter(one: AuditLocation, other: AuditLocation): boolean {
  if (one.movedOut !== other.movedOut) return one.movedOut === undefined;
  return compareText(JSON.stringify(one), JSON.stringify(other)) < 0;
}

function auditKind({ type }: LedgerEvent): AuditKind | null {
  switch (type) {
    case 'pi.compaction.completed.v1':
      return 'compaction';
    case 'pi.branch.summarized.v1':
      return 'branchSummary';
    case 'pi.compaction.failed.v1':
      return 'failure';
    default:
      return null;
  }
}
