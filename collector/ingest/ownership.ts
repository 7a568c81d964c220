/**
 * Whose entry it is, where several sessions are said to own it. The log keeps an event as it came
 * first; what comes later under another session, or is said with more certainty, is appended beside
 * it as `pi.entry.moved.v1`, and the views move what they counted.
 *
 * The owner is the one that is certain (its own file or process says so), else the one that copies
 * name, else the oldest ancestor known; of equals the one whose id comes first, which for the
 * hosts' ids is the older one. So it depends on what was ever said of the entry, and not on its
 * order.
 *
 * Whose a copy without a price is (omp's `/tan`), its twin may tell, which has the price and so
 * another id (entry-claims.ts).
 *
 * Contract: `settle` resolves when all that follows from these events is durable. Repeating it
 * changes nothing; if it failed, what it left out comes when the events are offered again. Copies
 * that were recorded without a price are entries of their own kind: they go `out` and `in` of the
 * same session when it turns out to be the certain owner.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { floorId } from '../log/history.ts';
import type { Log, StoredOwner } from '../log/log.ts';
import {
  areTwins,
  claimantOf,
  compareClaimants,
  doubts,
  isCopy,
  type Move,
  movesOf,
  type Said,
  spendIn,
} from './entry-claims.ts';

export interface OwnershipSettling {
  /** These were offered; `areNew`: the log knew none of them. How many events were appended. */
  settle(events: readonly LedgerEvent[], receivedAtMs: number, areNew?: boolean): Promise<number>;
}

export function createOwnership(log: Log): OwnershipSettling {
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
    for (const event of bestOfEach(disputed)) {
      // What one says of its twin, the next one has to know. Twins are of one moment; all others go
      // together, to one flush of the disk.
      if (waiting.times.has(timeIn(event.id))) await append();
      const moves = movesOf(event, await saidBefore(log, event.id));
      if (moves.length === 0) continue;
      waiting.moves.push(...moves);
      waiting.times.add(timeIn(event.id));
    }
    await append();
    return appended;
  }

  return {
    async settle(events, receivedAtMs, areNew = false) {
      const entries = events.filter(areNew ? mayHaveTwin : isOfEntry);
      if (entries.length === 0) return 0;
      const known = new Map(
        (await log.owners(entries.map(({ id }) => id))).map((owner) => [owner.eventId, owner]),
      );
      const disputed = entries.filter((event) => isDisputed(event, known.get(event.id)));
      if (disputed.length === 0) return 0;
      // One after another: each looks at what the one before has said.
      const settled = settling.then(() => settleAll(disputed, receivedAtMs));
      settling = settled.catch(() => undefined);
      return settled;
    },
  };
}

/** The types that say what an entry says, and are known by it alone. */
const entryTypes: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.turn.completed.v1',
  'pi.tool.completed.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.attempt.estimated.v1',
  'pi.subagent.claimed.v1',
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

/** A copy that tells of spend, of omp: no other host takes prices out of what it copies. */
function mayHaveTwin(event: LedgerEvent): boolean {
  return isCopy(event.ownership) && event.source === ompSource && spendIn(event) !== null;
}

/** Of its importer. */
const ompSource = '/importers/omp';

function bestOfEach(events: readonly LedgerEvent[]): Iterable<LedgerEvent> {
  const best = new Map<string, LedgerEvent>();
  for (const event of events) {
    const known = best.get(event.id);
    if (known === undefined || compareClaimants(claimantOf(event), claimantOf(known)) < 0)
      best.set(event.id, event);
  }
  return best.values();
}

/** The digits of an id that tell its entry's time. */
function timeIn(eventId: string): string {
  return eventId.slice(0, 13);
}

/** What the log has at one millisecond: some entries of a family, and what was moved of them. */
const togetherMax = 10_000;

/**
 * Everything that was said of the entry, and then of its twins; moves bear the time of the entry in
 * their ids. Nothing when its event is not there.
 */
async function saidBefore(log: Log, eventId: string): Promise<readonly Said[]> {
  const timeMs = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  const stored = await log.history.below(
    timeMs + 1,
    Number.MAX_SAFE_INTEGER,
    floorId(timeMs),
    togetherMax,
  );
  const events = stored
    .filter(({ damage }) => damage === undefined)
    .toSorted((left, right) => left.position - right.position)
    .map(({ event }) => event);
  const first = events.find(({ id }) => id === eventId);
  if (first === undefined) return [];
  return [first, ...events.filter((event) => areTwins(first, event))].map((each) => ({
    first: each,
    moves: movesIn(events, each.id),
  }));
}

function movesIn(events: readonly LedgerEvent[], eventId: string): readonly Move[] {
  return events.filter(
    (event): event is Move => event.type === 'pi.entry.moved.v1' && event.data.eventId === eventId,
  );
}
