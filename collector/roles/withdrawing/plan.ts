/**
 * What a withdrawal would take back: which events of the log it names, and the moves that go with
 * them. Reads the whole log, in slices.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Withdrawn } from '@pi-ledger/contract/answers';
import { spendIn } from '../../ingest/entry-claims.ts';
import type { Log } from '../../log/log.ts';
import type { StoredEvent } from '../../log/stored-event.ts';
import {
  createWithdrawals,
  isOfNoView,
  type Withdrawals,
  withdrawnType,
} from '../../log/withdrawals.ts';

type Withdrawal = EventData<typeof withdrawnType>;
export type WithdrawnRecords = Withdrawal['records'];

/** A move of an entry between sessions. */
interface Move {
  readonly id: string;
  readonly eventId: string;
  readonly subject: string;
  readonly role: EventData<'pi.entry.moved.v1'>['role'];
  /** Whether the withdrawal names it, as one of its session. */
  readonly isNamed: boolean;
  /** Whether a claim that the withdrawal takes back caused it. */
  readonly isCaused: boolean;
}

export interface WithdrawalPlan {
  readonly answer: Withdrawn;
  /** What has to be named, each within the bounds of one event. */
  readonly records: readonly WithdrawnRecords[];
}

const eventsPerRead = 500;
const charsPerRead = 1024 * 1024;
/** As the contract has it. */
const eventsPerWithdrawal = 1_000;

export async function planWithdrawal(log: Log, named: WithdrawnRecords): Promise<WithdrawalPlan> {
  const names = createWithdrawals([asStored(named)]);
  const tally = createTally(names, named);
  for (let after = 0; ; ) {
    const read = await log.read(after, eventsPerRead, charsPerRead);
    if (read.length === 0) break;
    for (const stored of read.filter(canCount)) tally.add(stored);
    after = read.at(-1)?.position ?? after;
    await nextTurn();
  }
  const moves = await movesWith(log, names, tally.moves());
  const seal = await log.history.seal();
  const found = tally.sum();
  const answer = {
    ...found,
    events: found.events + moves.length,
    sealedBefore: seal === null ? null : new Date(seal.floorMs).toISOString(),
  };
  return { answer, records: answer.events === 0 ? [] : withMoves(named, moves) };
}

/** What is withdrawn already counts no longer. */
function canCount({ event, damage }: StoredEvent): boolean {
  return damage === undefined && !isOfNoView(event);
}

/** The place of an event, as one of the ledger's own would have it. */
function asStored(records: WithdrawnRecords): StoredEvent {
  const event = { type: withdrawnType, id: '', source: '', subject: '', data: { records } };
  return { position: 1, receivedAtMs: 0, event: event as unknown as LedgerEvent };
}

function withMoves(named: WithdrawnRecords, moves: readonly string[]): WithdrawnRecords[] {
  const ids = [...named.events, ...moves];
  const first = { ...named, events: ids.slice(0, eventsPerWithdrawal) };
  const more: WithdrawnRecords[] = [];
  for (let from = eventsPerWithdrawal; from < ids.length; from += eventsPerWithdrawal)
    more.push({ events: ids.slice(from, from + eventsPerWithdrawal), session: null, token: null });
  return [first, ...more];
}

function createTally(names: Withdrawals, { token }: WithdrawnRecords) {
  const sessions = new Set<string>();
  const moves: Move[] = [];
  const [sinceMs, untilMs] =
    token === null ? [0, 0] : [Date.parse(token.since), Date.parse(token.until)];
  let events = 0;
  let nanoUsd = 0n;
  let withoutToken = 0;
  let period: readonly [first: string, last: string] | null = null;

  return {
    add(stored: StoredEvent): void {
      const { event, receivedAtMs } = stored;
      const isNamed = names.names(stored);
      const isOfTime = sinceMs <= receivedAtMs && receivedAtMs < untilMs;
      if (event.type === 'pi.entry.moved.v1') {
        const { id, subject, authenticatedtoken } = event;
        const isCaused = isNamed || (isOfTime && authenticatedtoken === token?.id);
        const { eventId, role } = event.data;
        moves.push({ id, eventId, subject, role, isNamed, isCaused });
      }
      if (!isNamed) {
        if (isOfTime && isWithoutToken(event)) withoutToken += 1;
        return;
      }
      events += 1;
      sessions.add(event.subject);
      nanoUsd += BigInt(spendIn(event)?.costNanoUsd ?? 0);
      period = widened(period ?? [event.time, event.time], event.time);
    },
    moves: (): readonly Move[] => moves,
    sum: () => ({
      events,
      sessions: sessions.size,
      nanoUsd: nanoUsd.toString(),
      firstAt: period?.[0] ?? null,
      lastAt: period?.[1] ?? null,
      withoutToken,
    }),
  };
}

/** Times of one format sort as text. */
function widened([first, last]: readonly [string, string], time: string): [string, string] {
  return [time < first ? time : first, time > last ? time : last];
}

/** A producer's; importers and collectors may have none. */
function isWithoutToken({ source, authenticatedtoken }: LedgerEvent): boolean {
  return authenticatedtoken === undefined && source.startsWith('/producers/');
}

/** Moves that have to be named beside what is: those of a withdrawn entry, and of its claims. */
async function movesWith(
  log: Log,
  names: Withdrawals,
  moves: readonly Move[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const byEntry = Map.groupBy(moves, ({ eventId }) => eventId);
  for (const [eventId, own] of byEntry) {
    const entry = await eventAt(log, eventId);
    const isEntryNamed = entry !== null && names.names(entry);
    const undone = isEntryNamed ? new Set(own) : undoneBy(own);
    found.push(...[...undone].flatMap(({ id, isNamed }) => (isNamed ? [] : [id])));
  }
  return found;
}

/**
 * Each claim that is taken back brought the entry into a session. What took it out of there again
 * goes, too, or else what took it from where it was before.
 */
function undoneBy(moves: readonly Move[]): ReadonlySet<Move> {
  const undone = new Set<Move>();
  const isLeft = (move: Move): boolean => move.role === 'out' && !undone.has(move);
  for (const [index, move] of moves.entries()) {
    if (move.role !== 'in' || !move.isCaused) continue;
    undone.add(move);
    const after = moves.slice(index).find((one) => isLeft(one) && one.subject === move.subject);
    const pair = after ?? moves.slice(0, index).findLast(isLeft);
    if (pair !== undefined) undone.add(pair);
  }
  return undone;
}

async function eventAt(log: Log, eventId: string): Promise<StoredEvent | null> {
  const position = await log.history.positionOf(eventId);
  if (position === null) return null;
  const [stored] = await log.read(position - 1, 1);
  return stored?.event.id === eventId ? stored : null;
}
