/**
 * Events older than the seal that arrive after it, and which of them are in no total. The log keeps
 * no ids of what was deleted, so records are counted: what a session has in the events, and what
 * the views count of it before the floor. Claims are left out of both, as they count in part. A
 * subagent that came too late is in the totals if what its parent's tools count is enough for it.
 *
 * Memory grows with sessions. An event that is added twice counts twice.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import {
  type TokenCounts,
  type TokenMeasure,
  tokenMeasures,
} from '@pi-ledger/contract/spend-shape';
import { floorId, type LateEvents, type SealedTotals } from '../log/history.ts';
import { spentBy } from '../projections/session/entries.ts';
import { movedEntry } from '../projections/session/moved.ts';

export interface SealedCounts {
  /**
   * Records before the floor by session, without those of tools; a session with none may be absent.
   */
  countRecords(sessionIds: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
  /** What counts of a session's tools, at any time. */
  sumTools(sessionId: string): Promise<Tokens>;
}

export type Tokens = TokenCounts<bigint>;

export function createSealedTotals(floorMs: number, counts: SealedCounts): SealedTotals {
  return { floorMs, collect: () => createLateEvents(floorMs, counts) };
}

interface LateSession {
  events: number;
  records: number;
  /** Answers that a claim may contain, as a subagent's. */
  answers: number;
  tokens: Tokens;
  /** Sessions that it accounts for its answers to. */
  readonly parents: Set<string>;
}

function createLateEvents(floorMs: number, { countRecords, sumTools }: SealedCounts): LateEvents {
  const bySession = new Map<string, LateSession>();
  const spares = new Map<string, Tokens>();
  const idMin = floorId(floorMs);

  function open(sessionId: string): LateSession {
    const session = bySession.get(sessionId) ?? noEvents();
    bySession.set(sessionId, session);
    return session;
  }

  /** Takes the answers out of what a parent's tools count. */
  async function isClaimed({ answers, tokens, parents }: LateSession): Promise<boolean> {
    for (const parent of answers === 0 ? [] : parents) {
      const spare = spares.get(parent) ?? (await sumTools(parent));
      if (tokenMeasures.some((name) => spare[name] < tokens[name])) continue;
      spares.set(
        parent,
        eachCount((name) => spare[name] - tokens[name]),
      );
      return true;
    }
    return false;
  }

  return {
    add(event) {
      if (event.id >= idMin) return;
      if (event.type === 'pi.subagent.accounted.v1')
        open(event.data.childSessionId).parents.add(event.subject);
      const session = open(event.subject);
      session.events += 1;
      const records = recordsBy(event);
      session.records += records;
      const { spend } = event.type === 'pi.turn.completed.v1' ? event.data : { spend: null };
      if (records === 0 || spend?.reported !== true) return;
      session.answers += 1;
      session.tokens = eachCount((name) => session.tokens[name] + BigInt(spend[name]));
    },
    async inNoTotal() {
      const spent = [...bySession].filter(([, { records }]) => records > 0);
      const counts = await countRecords(new Set(spent.map(([sessionId]) => sessionId)));
      const late = new Map<string, number>();
      for (const [sessionId, session] of spent) {
        const { events, records, answers } = session;
        const counted = counts.get(sessionId) ?? 0;
        const claimed = counted === 0 && (await isClaimed(session)) ? answers : 0;
        const missing = records - counted - claimed;
        if (missing > 0) late.set(sessionId, counted + claimed === 0 ? events : missing);
      }
      return late;
    },
  };
}

function noEvents(): LateSession {
  return { events: 0, records: 0, answers: 0, tokens: eachCount(() => 0n), parents: new Set() };
}

export function eachCount(count: (name: TokenMeasure) => bigint): Tokens {
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cacheReadTokens: count('cacheReadTokens'),
    cacheWriteTokens: count('cacheWriteTokens'),
  };
}

/** By how many records the event changes what counts of its session. */
function recordsBy(event: LedgerEvent): number {
  if (event.type !== 'pi.entry.moved.v1') return isRecord(event) ? 1 : 0;
  if (event.data.role === 'stay' || !isRecord(movedEntry(event))) return 0;
  return event.data.role === 'in' ? 1 : -1;
}

function isRecord(event: LedgerEvent): boolean {
  const spent = spentBy(event);
  return spent?.is === 'record' && spent.name.kind !== 'tool';
}
