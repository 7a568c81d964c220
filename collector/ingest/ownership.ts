/**
 * Decides which session owns an entry that several sessions claim. The log keeps the event that
 * came first; a later claim of another session, or a more certain one, is appended as
 * `pi.entry.moved.v1`, and the views move what they counted.
 *
 * The owner is the certain one (its own file or process says so), else the one that copies name,
 * else the oldest known ancestor; of equals the one whose id sorts first, which for the hosts' ids
 * is the older one. So the owner depends on the set of claims, not on their order.
 *
 * The owner of a copy without a price (omp's `/tan`) may be known from its twin, which has the
 * price and so another id (entry-claims.ts).
 *
 * In a ledger of several cells the claimants' sessions may be in different ones: their disputes are
 * settled together, elsewhere (cells/kafka/claims.ts), and a cell only finds them.
 *
 * Contract: `settle` resolves when all that follows from these events is durable. It is safe to
 * repeat: if it fails, the rest follows when the events are offered again. Copies that were
 * recorded without a price are entries of their own kind: they move `out` and `in` of the same
 * session when it turns out to be the certain owner.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { eventSource } from '../importers/importer.ts';
import { importers } from '../importers/registry.ts';
import { floorId } from '../log/history.ts';
import type { Log, StoredOwner } from '../log/log.ts';
import type { StoredEvent } from '../log/stored-event.ts';
import type { Withdrawals } from '../log/withdrawals.ts';
import {
  areTwins,
  claimantOf,
  compareClaimants,
  doubts,
  type EntryHistory,
  isCopy,
  type OwnershipMove,
  planMoves,
  spendIn,
} from './entry-claims.ts';

/** What is read and written of a log. */
export interface OwnershipLog extends Pick<Log, 'owners' | 'append' | 'withdrawals'> {
  readonly history: Pick<Log['history'], 'below'>;
}

export interface OwnershipSettling {
  /** The number of events appended. `areNew`: none of these was in the log before. */
  settle(events: readonly LedgerEvent[], receivedAtMs: number, areNew?: boolean): Promise<number>;
}

export function createOwnership(log: OwnershipLog): OwnershipSettling {
  let settling: Promise<unknown> = Promise.resolve();

  async function settleAll(
    disputed: readonly LedgerEvent[],
    receivedAtMs: number,
  ): Promise<number> {
    let appended = 0;
    let waiting: { readonly moves: LedgerEvent[]; readonly times: Set<string> } = {
      moves: [],
      times: new Set(),
    };
    const append = async () => {
      const events = waiting.moves;
      waiting = { moves: [], times: new Set() };
      if (events.length > 0)
        appended += (await log.append({ receivedAtMs, events, deadLetters: [] })).appended;
    };
    const withdrawals = await log.withdrawals();
    // What is withdrawn claims nothing: the spend would be in no session.
    const claims = disputed.filter(
      (event) => !withdrawals.names({ position: 0, receivedAtMs, event }),
    );
    for (const event of bestOfEach(claims)) {
      // What is appended for one twin must be known to the next. Twins have the same time; all
      // others are appended together, in one transaction.
      if (waiting.times.has(timeIn(event.id))) await append();
      const moves = planNew(event, await readHistory(log, event.id), withdrawals);
      if (moves.length === 0) continue;
      waiting.moves.push(...moves);
      waiting.times.add(timeIn(event.id));
    }
    await append();
    return appended;
  }

  return {
    async settle(events, receivedAtMs, areNew = false) {
      const disputed = await disputedAmong(log, events, areNew);
      if (disputed.length === 0) return 0;
      // One after another: each reads what the one before appended.
      const settled = settling.then(() => settleAll(disputed, receivedAtMs));
      settling = settled.catch(() => undefined);
      return settled;
    },
  };
}

/** Moves whose ids no withdrawal names: they would count for nothing. */
function planNew(
  event: LedgerEvent,
  histories: readonly EntryHistory[],
  { namesId }: Withdrawals,
): readonly LedgerEvent[] {
  for (let more = 0; ; more += 1) {
    const later = histories.map((each) => ({ ...each, withdrawn: each.withdrawn + more }));
    const moves = planMoves(event, later);
    if (!moves.some(({ id }) => namesId(id))) return moves;
  }
}

/** Those that name another owner than the log, or may. `areNew`: as for `settle`. */
export async function disputedAmong(
  log: Pick<Log, 'owners'>,
  events: readonly LedgerEvent[],
  areNew = false,
): Promise<readonly LedgerEvent[]> {
  const entries = events.filter(areNew ? mayHaveTwin : isOfEntry);
  if (entries.length === 0) return [];
  const known = new Map(
    (await log.owners(entries.map(({ id }) => id))).map((owner) => [owner.eventId, owner]),
  );
  return entries.filter((event) => isDisputed(event, known.get(event.id)));
}

/** The types that record one session entry, and nothing else. */
const entryTypes: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.turn.completed.v1',
  'pi.tool.completed.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.attempt.estimated.v1',
  'pi.subagent.claimed.v1',
  'pi.subagent.linked.v1',
  'pi.prompt.submitted.v1',
  'pi.message.appended.v1',
  'pi.model.changed.v1',
  'pi.context.edited.v1',
]);

function isOfEntry({ type }: LedgerEvent): boolean {
  return entryTypes.has(type);
}

function isDisputed(event: LedgerEvent, stored: StoredOwner | undefined): boolean {
  if (stored === undefined) return false;
  const { subject, ownership } = event;
  if (stored.subject !== subject || doubts(ownership ?? null) < doubts(stored.ownership))
    return true;
  return stored.ownership !== null && mayHaveTwin(event);
}

/** A copy with spend, from an agent that removes prices from what it copies. */
function mayHaveTwin(event: LedgerEvent): boolean {
  return isCopy(event.ownership) && unpricing.has(event.source) && spendIn(event) !== null;
}

const unpricing: ReadonlySet<string> = new Set(
  importers.filter(({ unpricesCopies }) => unpricesCopies).map(eventSource),
);

function bestOfEach(events: readonly LedgerEvent[]): Iterable<LedgerEvent> {
  const best = new Map<string, LedgerEvent>();
  for (const event of events) {
    const known = best.get(event.id);
    if (known === undefined || compareClaimants(claimantOf(event), claimantOf(known)) < 0)
      best.set(event.id, event);
  }
  return best.values();
}

/** The digits of an id that encode its entry's time. */
export function timeIn(eventId: string): string {
  return eventId.slice(0, 13);
}

/** Events at one millisecond: entries of a family of sessions, and their moves. */
const togetherMax = 10_000;

/**
 * The entry with its moves, then its twins with theirs; a move's id encodes the time of its entry.
 * Empty when the entry's event is not in the log, or was withdrawn: that moves no more.
 */
async function readHistory(log: OwnershipLog, eventId: string): Promise<readonly EntryHistory[]> {
  const timeMs = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  const stored = await log.history.below(
    timeMs + 1,
    Number.MAX_SAFE_INTEGER,
    floorId(timeMs),
    togetherMax,
  );
  const withdrawals = await log.withdrawals();
  const { left = [], withdrawn = [] } = Object.groupBy(
    stored.filter(({ damage }) => damage === undefined),
    (each) => (withdrawals.names(each) ? 'withdrawn' : 'left'),
  );
  const events = inOrder(left);
  const first = events.find(({ id }) => id === eventId);
  if (first === undefined) return [];
  return [first, ...events.filter((event) => areTwins(first, event))].map((each) => ({
    first: each,
    moves: movesIn(events, each.id),
    withdrawn: movesIn(inOrder(withdrawn), each.id).length,
  }));
}

function inOrder(stored: readonly StoredEvent[]): readonly LedgerEvent[] {
  return stored.toSorted((left, right) => left.position - right.position).map(({ event }) => event);
}

function movesIn(events: readonly LedgerEvent[], eventId: string): readonly OwnershipMove[] {
  return events.filter(
    (event): event is OwnershipMove =>
      event.type === 'pi.entry.moved.v1' && event.data.eventId === eventId,
  );
}
