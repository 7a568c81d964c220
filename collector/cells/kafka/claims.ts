/**
 * Who owns an entry that sessions of several cells claim. Its event is in the log of one cell, the
 * unique id sees to that; where its spend counts is said by moves, out of one session and into
 * another, which belong to the cells of these sessions.
 *
 * A cell that meets a claim hands it on, by Kafka; claims on entries of one moment are in one
 * partition of a topic of their own, so one worker settles them, one after the other, with the logs
 * of all cells before it. It hands its moves on to their cells and waits until they are there:
 * first what goes out, then what comes in. So an entry never counts twice, and the next claim finds
 * all that was decided.
 *
 * Contract: `settle` resolves when all moves are in their logs, and rejects when the store or the
 * brokers fail or the signal aborts; the claim then comes again, and comes to the same.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';
import { createEventCheck } from '../../ingest/event-check.ts';
import { type TakeRecords, untilDone } from '../../ingest/kafka/door.ts';
import type { Forwarding } from '../../ingest/kafka/forwarding.ts';
import { partitionOfText } from '../../ingest/kafka/partition-of.ts';
import { receivedAtOf } from '../../ingest/kafka/records.ts';
import {
  createOwnership,
  disputedAmong,
  type OwnershipSettling,
  timeIn,
} from '../../ingest/ownership.ts';
import type { Log } from '../../log/log.ts';
import type { StoredEvent } from '../../log/stored-event.ts';
import { claimIn, claimRecord } from './claim-records.ts';

export interface Claiming {
  /** Hands on events that the log may have under another owner, to whoever settles that. */
  claim(events: readonly LedgerEvent[], receivedAtMs: number): Promise<void>;
}

/** `cells`: the ledger has this many, and the topic as many partitions. */
export function createClaiming(
  { send }: Pick<Forwarding, 'send'>,
  { topic, cells }: { readonly topic: string; readonly cells: number },
): Claiming {
  return {
    claim: (events, receivedAtMs) =>
      send(
        events.map((event) => claimRecord(topic, courtOf(event, cells), event, { receivedAtMs })),
      ),
  };
}

/** Finds what is disputed, and hands it on to be settled. */
export function createClaimsDesk(log: Pick<Log, 'owners'>, { claim }: Claiming): OwnershipSettling {
  return {
    async settle(events, receivedAtMs, areNew) {
      const disputed = await disputedAmong(log, events, areNew);
      if (disputed.length > 0) await claim(disputed, receivedAtMs);
      return 0;
    },
  };
}

/** The partition in which claims on entries of the event's moment are settled. */
function courtOf({ id }: Pick<LedgerEvent, 'id'>, cells: number): number {
  return partitionOfText(timeIn(id), cells);
}

/** Settles who owns these; rejects when the signal aborts. */
export type SettleClaims = (
  events: readonly LedgerEvent[],
  receivedAtMs: number,
  signal: AbortSignal,
) => Promise<void>;

interface CourtOptions {
  readonly settle: SettleClaims;
  readonly now: () => number;
  onError(error: unknown): void;
}

/**
 * Takes claims in their order: a later one may follow from what an earlier one came to. What no
 * worker wrote is passed over: no cell would take the moves that follow from it.
 */
export function createCourt({ settle, now, onError }: CourtOptions): TakeRecords {
  const check = createEventCheck();
  return async (records, signal) => {
    for (const record of records) {
      const claimed = claimIn(record, check, now());
      if (claimed === null) continue;
      const receivedAtMs = receivedAtOf(record) ?? now();
      await untilDone(() => settle([claimed], receivedAtMs, signal), { signal, onError });
    }
  };
}

const lookEveryMs = 50;

/** `cells`: the logs of all, each of which knows the owners in all of them. */
export function createSettling(
  cells: readonly Log[],
  { append }: Pick<Forwarding, 'append'>,
): SettleClaims {
  const [first] = cells;
  if (first === undefined) throw new Error('A ledger has a cell at least.');

  async function known(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await first?.owners(ids))?.map(({ eventId }) => eventId));
  }

  async function handOn(
    moves: readonly LedgerEvent[],
    receivedAtMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const there = await known(moves.map(({ id }) => id));
    let missing = moves.filter(({ id }) => !there.has(id));
    if (missing.length > 0) await append({ receivedAtMs, events: missing, deadLetters: [] });
    while (missing.length > 0) {
      await sleep(lookEveryMs, undefined, { signal });
      const arrived = await known(missing.map(({ id }) => id));
      missing = missing.filter(({ id }) => !arrived.has(id));
    }
  }

  return async (events, receivedAtMs, signal) => {
    const floorMs = await latestFloor(cells);
    // Sealed history stays as it is.
    const open = events.filter(({ id }) => msIn(id) >= floorMs);
    let lastMs = receivedAtMs;
    const ownership = createOwnership({
      owners: (ids) => first.owners(ids),
      withdrawals: () => first.withdrawals(),
      history: {
        async below(...range) {
          const found = await togetherIn(cells, range);
          lastMs = Math.max(lastMs, ...found.map((stored) => stored.receivedAtMs));
          return found.map((stored, index) => ({ ...stored, position: index + 1 }));
        },
      },
      async append({ events: moves }) {
        const isOut = (move: LedgerEvent) =>
          move.type === 'pi.entry.moved.v1' && move.data.role === 'out';
        await handOn(moves.filter(isOut), lastMs + 1, signal);
        await handOn(
          moves.filter((move) => !isOut(move)),
          lastMs + 2,
          signal,
        );
        return { appended: moves.length, duplicates: 0 };
      },
    });
    await ownership.settle(open, receivedAtMs);
  };
}

/** In the order in which they were decided: each move is received later than what it rests on. */
async function togetherIn(
  cells: readonly Log[],
  range: Parameters<Log['history']['below']>,
): Promise<readonly StoredEvent[]> {
  const found = await Promise.all(cells.map(({ history }) => history.below(...range)));
  return found.flat().toSorted((left, right) => left.receivedAtMs - right.receivedAtMs);
}

async function latestFloor(cells: readonly Log[]): Promise<number> {
  const seals = await Promise.all(cells.map(({ history }) => history.seal()));
  return Math.max(0, ...seals.map((seal) => seal?.floorMs ?? 0));
}

function msIn(eventId: string): number {
  return Number.parseInt(timeIn(eventId).replace('-', ''), 16);
}
