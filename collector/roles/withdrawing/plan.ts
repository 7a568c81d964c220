/**
 * What a withdrawal would take back: which events of the log it names, and the moves that go with
 * them. Reads the whole log, in slices.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Withdrawn } from '@pi-ledger/contract/answers';
import type { UsageViews } from '../../answers/views/usage-views.ts';
import { spendIn } from '../../ingest/entry-claims.ts';
import type { Log } from '../../log/log.ts';
import { readEvent, type StoredEvent } from '../../log/stored-event.ts';
import { createWithdrawals, withdrawnType } from '../../log/withdrawals.ts';
import { movesWith, type WithdrawalMove } from './moves.ts';
import { countSealed } from './sealed.ts';

type Withdrawal = EventData<typeof withdrawnType>;
export type WithdrawnRecords = Withdrawal['records'];

export interface WithdrawalPlan {
  readonly answer: Withdrawn;
  /** What has to be named, each within the bounds of one event. */
  readonly records: readonly WithdrawnRecords[];
}

const eventsPerRead = 500;
const charsPerRead = 1024 * 1024;
/** As the contract has it. */
const eventsPerWithdrawal = 1_000;

/**
 * What is withdrawn already counts no longer, so where a withdrawal was interrupted, the same one
 * again takes back what is left.
 */
export async function planWithdrawal(
  log: Log,
  views: UsageViews,
  named: WithdrawnRecords,
): Promise<WithdrawalPlan> {
  const { names: isNamed } = createWithdrawals([asStored(named)]);
  const before = await log.withdrawals();
  const isGone = (stored: StoredEvent) => before.names(stored) || isNamed(stored);
  const tally = createTally(named);
  for (let after = 0; ; ) {
    const read = await log.readTexts(after, eventsPerRead, charsPerRead);
    if (read.length === 0) break;
    for (const stored of read.map(readEvent))
      if (stored.damage === undefined) tally.add(stored, isNamed(stored), before.names(stored));
    after = read.at(-1)?.position ?? after;
    await nextTurn();
  }
  const moves = await movesWith(log, tally.moves(), isNamed, isGone);
  const { sessions, ...found } = tally.sum();
  const seal = await log.history.seal();
  const events = found.events + moves.length;
  const answer = {
    ...found,
    events,
    sessions: sessions.length,
    sealedBefore: seal === null ? null : new Date(seal.floorMs).toISOString(),
    sealedSessions:
      seal === null || named.token === null ? 0 : await countSealed(views, sessions, seal.floorMs),
  };
  return { answer, records: events === 0 ? [] : withMoves(named, moves) };
}

/** The place of an event, as one of the ledger's own would have it. */
function asStored(records: WithdrawnRecords): StoredEvent {
  const event = { type: withdrawnType, id: '', source: '', subject: '', data: { records } };
  return { position: 1, receivedAtMs: 0, event: event as unknown as LedgerEvent };
}

/**
 * The session or the token comes last: an interrupted withdrawal is then one that the same command
 * completes.
 */
function withMoves(named: WithdrawnRecords, moves: readonly string[]): WithdrawnRecords[] {
  const ids = [...moves, ...named.events];
  const parts: WithdrawnRecords[] = [];
  for (; ids.length > eventsPerWithdrawal; )
    parts.push({ events: ids.splice(0, eventsPerWithdrawal), session: null, token: null });
  return [...parts, { ...named, events: ids }];
}

function createTally({ token }: WithdrawnRecords) {
  const sessions = new Set<string>();
  const moves: WithdrawalMove[] = [];
  const [sinceMs, untilMs] =
    token === null ? [0, 0] : [Date.parse(token.since), Date.parse(token.until)];
  let events = 0;
  let nanoUsd = 0n;
  let withoutToken = 0;
  let period: readonly [first: string, last: string] | null = null;

  return {
    /** `isBefore`: it was withdrawn before. */
    add({ event, receivedAtMs }: StoredEvent, isNamed: boolean, isBefore: boolean): void {
      const isOfTime = sinceMs <= receivedAtMs && receivedAtMs < untilMs;
      if (event.type === 'pi.entry.moved.v1') {
        const isCaused = isOfTime && event.authenticatedtoken === token?.id;
        moves.push(makeMove(event, { isNamed, isGone: isNamed || isBefore, isCaused }));
      }
      if (isBefore) return;
      if (!isNamed) {
        if (isOfTime && isWithoutToken(event)) withoutToken += 1;
        return;
      }
      events += 1;
      sessions.add(event.subject);
      nanoUsd += BigInt(spendIn(event)?.costNanoUsd ?? 0);
      period = widened(period ?? [event.time, event.time], event.time);
    },
    moves: (): readonly WithdrawalMove[] => moves,
    sum: () => ({
      events,
      sessions: [...sessions],
      nanoUsd: nanoUsd.toString(),
      firstAt: period?.[0] ?? null,
      lastAt: period?.[1] ?? null,
      withoutToken,
    }),
  };
}

function makeMove(
  { id, subject, data: { eventId, role, ownership } }: LedgerEvent<'pi.entry.moved.v1'>,
  how: Pick<WithdrawalMove, 'isNamed' | 'isGone' | 'isCaused'>,
): WithdrawalMove {
  return { id, subject, eventId, role, ownership, ...how };
}

/** Times of one format sort as text. */
function widened([first, last]: readonly [string, string], time: string): [string, string] {
  return [time < first ? time : first, time > last ? time : last];
}

/** A producer's; importers and collectors may have none. */
function isWithoutToken({ source, authenticatedtoken }: LedgerEvent): boolean {
  return authenticatedtoken === undefined && source.startsWith('/producers/');
}
