/**
 * What the same tokens would have cost under another price list. Reads the events one by one and
 * changes nothing.
 *
 * - Every record counts where the report counts it: the sessions' folded documents give the labels
 *   and the remaining parts of subagents' claims. So records, tokens and recorded amounts equal
 *   those of the report.
 * - The rest of a sum of several answers is priced at the base rates, with its cache writes as
 *   short ones, because the single answers are unknown.
 * - Records are those that the views had folded at the start; labels and the rest of claims are as
 *   new as the documents when they are read. Between reads it yields the thread.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { isUnpriced, readPrice } from '@pi-ledger/core/spend/price';
import type { Log } from '../../log/log.ts';
import type { Projection } from '../../projections/projection.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { spentBy } from '../../projections/session/entries.ts';
import { movedEntry } from '../../projections/session/moved.ts';
import { fits } from '../../views/match-condition.ts';
import {
  type Condition,
  foldedParts,
  type Generation,
  type SumRow,
  type ViewsReader,
} from '../../views/views.ts';
import { createSpendLabeller, type SpendLabeller, type SpentWhere } from '../spend/cells.ts';
import { claimsOf, type RemainingClaim } from './claims.ts';
import { createGroups, type Groups } from './groups.ts';
import { type PriceList, priceOf } from './prices.ts';
import { createSpenders, type Spenders } from './spenders.ts';

interface RepriceQuery {
  readonly prices: PriceList;
  /** Dimensions of the rollup `usage`. */
  readonly by: readonly string[];
  readonly where: readonly Condition[];
}

/**
 * Rows by `by`, `billing`, `provider` and `model`, with the measures of groups.ts. Throws a
 * LedgerError when there are too many rows.
 */
export type Reprice = (query: RepriceQuery) => Promise<readonly SumRow[]>;

export interface RepriceOptions {
  readonly log: Log;
  readonly views: ViewsReader;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
}

export function createReprice({ log, views, sessions }: RepriceOptions): Reprice {
  return async (query) => {
    const groups = createGroups(query.by);
    const spenders = createSpenders(views, sessions);
    const claimants = new Set<string>();
    for await (const events of foldedEvents(log, await views.live(sessions))) {
      await addRecords(events.flatMap(spentIn), spenders, groups, query);
      for (const event of events.filter(mayLeaveRest)) claimants.add(event.subject.toWellFormed());
    }
    for await (const state of spenders.documents([...claimants])) {
      const label = createSpendLabeller(state);
      for (const claim of claimsOf(state)) addClaim(groups, label, claim, query);
    }
    return groups.rows();
  };
}

const eventsPerRead = 1_000;
/** Characters of events per read. */
const charsPerRead = 8 * 1024 * 1024;

/** Yields what is folded of each part of the log: one may be further than another. */
async function* foldedEvents(
  log: Log,
  live: Generation | null,
): AsyncGenerator<readonly LedgerEvent[]> {
  if (live === null) return;
  for (const { after, checkpoint } of foldedParts(live))
    yield* eventsBetween(log, after, checkpoint);
}

async function* eventsBetween(
  log: Log,
  from: number,
  to: number,
): AsyncGenerator<readonly LedgerEvent[]> {
  for (let after = from; after < to; ) {
    const read = await log.read(after, Math.min(eventsPerRead, to - after), charsPerRead);
    const last = read.at(-1);
    if (last === undefined) return;
    // What is deleted leaves gaps: fewer events are left than positions.
    yield read.filter(({ position }) => position <= to).map(({ event }) => event);
    after = last.position;
    await nextTurn();
  }
}

interface Spent extends SpentWhere {
  readonly session: string;
  readonly spend: Spend;
  /** -1: it counts in another session, where it appears once more. */
  readonly times: 1 | -1;
}

/**
 * What the event spent, as the projection `sessions` counts it. Not claims: what counts of one
 * depends on others.
 */
function spentIn(event: LedgerEvent): Spent[] {
  const isMoved = event.type === 'pi.entry.moved.v1';
  if (isMoved && event.data.role === 'stay') return [];
  const entry = isMoved ? movedEntry(event) : event;
  const times = isMoved && event.data.role === 'out' ? -1 : 1;
  const spent = spentBy(entry);
  if (spent?.is !== 'record') return [];
  const { minute, name, spend } = spent;
  return [{ session: event.subject.toWellFormed(), minute, name, spend, times }];
}

/**
 * Whether only the session's document can say what counts: the rest of claims and of copies without
 * a price.
 */
function mayLeaveRest(event: LedgerEvent): boolean {
  const entry = event.type === 'pi.entry.moved.v1' ? movedEntry(event) : event;
  return isClaim(entry) || spentBy(entry)?.is === 'unpriced';
}

function isClaim(event: LedgerEvent): boolean {
  if (event.type === 'pi.tool.completed.v1')
    return event.data.spend !== null && event.data.turnEntryId !== null;
  return event.type === 'pi.subagent.claimed.v1';
}

async function addRecords(
  spent: readonly Spent[],
  spenders: Spenders,
  groups: Groups,
  query: RepriceQuery,
): Promise<void> {
  const known = await spenders.load(spent.map(({ session }) => session));
  for (const each of spent) {
    const label = known.get(each.session);
    if (label !== undefined) addRecord(groups, label, each, query);
  }
}

function addRecord(
  groups: Groups,
  label: SpendLabeller,
  spent: Spent,
  { prices, where }: RepriceQuery,
): void {
  const dimensions = label(spent);
  if (dimensions === null || !fits(dimensions, where)) return;
  const { spend } = spent;
  const price =
    prices.find(spent.name.provider, spent.name.model) ??
    prices.find(spent.name.provider, spend.responseModel ?? '');
  groups.add(dimensions, {
    tokens: spend,
    records: 1,
    times: spent.times,
    isReported: spend.reported,
    unpricedRecords: isUnpriced(spend) ? 1 : 0,
    recordedNanoUsd: BigInt(readPrice(spend) ?? 0),
    repricedNanoUsd:
      price === null || !spend.reported ? null : priceOf(price, { ...spend, isOneRequest: true }),
  });
}

function addClaim(
  groups: Groups,
  label: SpendLabeller,
  claim: RemainingClaim,
  { prices, where }: RepriceQuery,
): void {
  const dimensions = label(claim);
  if (dimensions === null || !fits(dimensions, where)) return;
  const price = prices.find(claim.name.provider, claim.name.model);
  groups.add(dimensions, {
    ...claim,
    isReported: true,
    repricedNanoUsd:
      price === null
        ? null
        : priceOf(price, {
            ...claim.tokens,
            cacheWrite1hTokens: null,
            isOneRequest: claim.isOneAnswer,
          }),
  });
}
