/**
 * Bounds a session's document where its own limits do not: keys of claims, hours of work, models of
 * claims. With everything at its limit, it stays below `documentBytesMax` (subscription/guard.ts).
 * Pure.
 */
import { hash } from 'node:crypto';
import type { LedgerEvent } from '@pi-ledger/contract';
import { UnfoldableError } from '../projection.ts';
import type { SessionState } from './document.ts';
import { isFull } from './streamed.ts';

/** Providers, models and cost sources in subagents' claims. */
const claimModelsMax = 100;

const claiming: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.tool.completed.v1',
  'pi.subagent.claimed.v1',
]);

const spending: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  ...(claiming as ReadonlySet<LedgerEvent['type']>),
  'pi.turn.completed.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.subagent.accounted.v1',
  'pi.attempt.estimated.v1',
  'pi.requests.observed.v1',
  'pi.answer.streamed.v1',
]);

/** Throws an `UnfoldableError` for an event that would grow the document without bound. */
export function expectRoom(state: SessionState, { type }: LedgerEvent, longCellsMax: number): void {
  if (!spending.has(type)) return;
  const { cellMinutes, cells } = state.spending;
  if (cellMinutes === 60 && cells >= longCellsMax)
    throw new UnfoldableError('Its session has too many hours of work.');
  if (claiming.has(type) && state.claims.pool.claims.length >= claimModelsMax)
    throw new UnfoldableError('Its session has claims of too many models.');
  if (type === 'pi.answer.streamed.v1' && isFull(state.streamed))
    throw new UnfoldableError('Its session has answers in event streams at too many times.');
}

/**
 * A document holds thousands of keys. Claims and accounts are shortened alike, so they still match.
 */
export function shortKey(key: string): string {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(key)
    ? key
    : hash('sha256', key.toWellFormed(), 'hex').slice(0, 32);
}

/** A session's id is shortened as everywhere, so that a `session:` ref still names it. */
export function shortRef(ref: string): string {
  const id = ref.startsWith('session:') ? ref.slice('session:'.length) : null;
  return id === null ? shortKey(ref) : `session:${shortKey(id)}`;
}
