/**
 * What an entry's event means for a session's document: what it spent and how it is counted. Pure.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';
import { summarySpend } from '@pi-ledger/core/record/summary-spend';
import { estimateMeasures } from '../usage.ts';
import { toMinute } from './calendar.ts';
import type { NewClaim } from './claims.ts';
import type { SessionState } from './document.ts';
import { type AnsweredHow, makeLineName, noVariant } from './line-name.ts';
import { shortKey } from './room.ts';
import type { Estimated, Spent } from './spending.ts';

type EntrySpent =
  | ({ readonly is: 'record' } & Spent)
  /** From a copy that lost its price. */
  | ({ readonly is: 'unpriced' } & Spent)
  /** Nested model work, possibly by a subagent that records it too. */
  | ({ readonly is: 'claim' } & NewClaim)
  | ({ readonly is: 'estimate' } & Estimated);

/** Returns null for an event that spent nothing. */
export function spentBy(event: LedgerEvent): EntrySpent | null {
  const spent = saidBy(event);
  if (spent === null || spent.is === 'estimate') return spent;
  const spend = withOrchestration(spent.spend);
  return spend === spent.spend ? spent : { ...spent, spend };
}

function saidBy(event: LedgerEvent): EntrySpent | null {
  const { time } = event;
  switch (event.type) {
    case 'pi.turn.completed.v1':
      return toRecord(event, 'turn', event.data.spend, event.data);
    case 'pi.tool.completed.v1': {
      const { spend, turnEntryId, entryId } = event.data;
      if (spend === null || turnEntryId === null) return toRecord(event, 'tool', spend);
      const [key, result] = [shortKey(`turn:${turnEntryId}`), shortKey(entryId)];
      return { is: 'claim', key, time, spend, result };
    }
    case 'pi.compaction.completed.v1':
      return toRecord(event, 'compaction', summarySpend(event.data));
    case 'pi.branch.summarized.v1':
      return toRecord(event, 'branch_summary', summarySpend(event.data));
    case 'pi.usage.recorded.v1':
      return toRecord(event, event.data.kind, event.data.spend);
    case 'pi.subagent.claimed.v1': {
      const { key, claimed: spend, entryId } = event.data;
      return { is: 'claim', key: shortKey(key), time, spend, result: shortKey(entryId) };
    }
    case 'pi.attempt.estimated.v1': {
      const { provider, model } = event.data;
      const measures = estimateMeasures(event.data);
      return {
        is: 'estimate',
        minute: toMinute(time),
        name: { ...noVariant, provider: provider ?? '', model: model ?? '', kind: 'turn' },
        measures,
      };
    }
    default:
      return null;
  }
}

function toRecord(
  event: LedgerEvent,
  kind: string,
  spend: Spend | null,
  answered?: AnsweredHow,
): EntrySpent | null {
  if (spend === null) return null;
  return {
    is: isUnpricedCopy(event, spend) ? 'unpriced' : 'record',
    minute: toMinute(event.time),
    name: makeLineName(spend, kind, answered),
    spend,
  };
}

/** A copy without a price: the owner's own record may have one, and then has another id. */
export function isUnpricedCopy(
  { ownership }: Pick<LedgerEvent, 'ownership'>,
  { reported, costSource }: Spend,
): boolean {
  return (
    (ownership === 'named' || ownership === 'assumed') && reported && costSource === 'unpriced'
  );
}

/**
 * Counts an entry once more or once less. Not for a copy without its price: its entry may be
 * counted already, by another event.
 */
export function countEntry(counts: SessionState['counts'], event: LedgerEvent, by: 1 | -1): void {
  switch (event.type) {
    case 'pi.turn.completed.v1':
      counts.turns += by;
      if (!event.data.spend.reported) counts.unreportedTurns += by;
      break;
    case 'pi.tool.completed.v1':
      counts.toolCalls += by;
      if (event.data.isError) counts.toolErrors += by;
      break;
    case 'pi.compaction.completed.v1':
      counts.compactions += by;
      break;
    case 'pi.branch.summarized.v1':
      counts.branchSummaries += by;
      break;
    case 'pi.prompt.submitted.v1':
      counts.prompts += by;
      break;
  }
}
