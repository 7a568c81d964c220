/** Turns a row of the audit into the API's answer, in lists and alone. Pure. */

import type { Compaction, CompactionDetails } from '@pi-ledger/contract/answers';
import { type Billing, readBilling } from '@pi-ledger/contract/billings';
import { type TokenCounts, tokenCounts } from '@pi-ledger/contract/spend-shape';
import type { TimeZone } from '@pi-ledger/core/time/time-zone';
import { localDayText, toMinute } from '../../../projections/session/calendar.ts';
import type { SessionState } from '../../../projections/session/document.ts';
import { labelsAt } from '../../../projections/session/timeline-labels.ts';
import type { AuditRow, SummaryRow } from '../../context/audit.ts';
import type { Net } from '../../context/net.ts';

export type Contents = Pick<CompactionDetails, 'summary' | 'instructions'>;

/** On the calendar of `zone`; null: on that of who spent. */
export function dayOf(time: string, utcOffsetMinutes: number, zone: TimeZone | null): string {
  return zone === null
    ? localDayText(toMinute(time), utcOffsetMinutes)
    : zone.dayAt(Date.parse(time));
}

/** The labels are those of the session at the time of the compaction; the day is the spender's. */
export function toCompactionRow(row: AuditRow, state: SessionState): Compaction {
  const provider = row.kind === 'failure' ? '' : row.provider;
  const { project, user, machine, host, billing, utcOffsetMinutes } = labelsAt(
    state.timeline,
    toMinute(row.time),
    provider,
  );
  const { id, kind, entryId, session, time, trigger, durationMs, willRetry, instructionsChars } =
    row;
  return {
    ...{ id, kind, entryId, session },
    ...{
      project: project || null,
      user: user || null,
      machine: machine || null,
      host: host || null,
    },
    ...{ time, day: dayOf(time, utcOffsetMinutes, null) },
    ...{ trigger, durationMs, willRetry, instructionsChars },
    aborted: row.kind === 'failure' ? row.aborted : null,
    ...(row.kind === 'failure' ? noFigures : figuresOf(row, readBilling(billing))),
  };
}

export function toFullRow(
  row: AuditRow,
  state: SessionState,
  contents: Contents,
): CompactionDetails {
  return {
    ...toCompactionRow(row, state),
    ...(row.kind === 'failure' ? noDetails : detailsOf(row)),
    ...contents,
  };
}

function figuresOf(row: SummaryRow, billing: Billing) {
  const {
    by,
    costSource,
    tokensBefore,
    tokensAfterEstimated,
    tokensAfterMeasured,
    savedTokens,
    summaryTokens,
    turnsAfter,
  } = row;
  const { dropped, kept, filesReadCount, filesModifiedCount, cacheMiss, regret, net } = row;
  return {
    ...{ by, method: row.method || null, provider: row.provider || null, model: row.model || null },
    ...{ tokensBefore, tokensAfterEstimated, tokensAfterMeasured, savedTokens },
    ...{ costNanoUsd: amount(row.costNanoUsd), costSource, billing, summaryTokens },
    ...{
      droppedMessages: dropped.messages,
      droppedTokens: dropped.tokens,
      keptMessages: kept.messages,
      keptTokens: kept.tokens,
    },
    ...{ filesReadCount, filesModifiedCount },
    cacheMissTokens: turnsAfter === 0 ? null : (cacheMiss?.missedTokens ?? 0),
    cacheMissNanoUsd:
      turnsAfter === 0 ? null : amount(cacheMiss === null ? 0 : cacheMiss.costNanoUsd),
    ...{
      regretReads: regret.reads,
      regretTokens: regret.tokens,
      turnsAfter,
      netNanoUsd: amount(net?.netNanoUsd ?? null),
      netIsUpperBound: net === null || net.netNanoUsd === null ? null : net.leavesOut.length > 0,
    },
  };
}

/** A failed compaction has no figures. */
const noFigures = {
  ...{ by: null, method: null, provider: null, model: null },
  ...{
    tokensBefore: null,
    tokensAfterEstimated: null,
    tokensAfterMeasured: null,
    savedTokens: null,
  },
  ...{ costNanoUsd: null, costSource: null, billing: null, summaryTokens: null },
  ...{ droppedMessages: null, droppedTokens: null, keptMessages: null, keptTokens: null },
  ...{
    filesReadCount: null,
    filesModifiedCount: null,
    cacheMissTokens: null,
    cacheMissNanoUsd: null,
  },
  ...{
    regretReads: null,
    regretTokens: null,
    turnsAfter: null,
    netNanoUsd: null,
    netIsUpperBound: null,
  },
} satisfies Partial<Compaction>;

function detailsOf(row: SummaryRow) {
  const { dropped, kept, filesRead, filesModified, regret, cacheMiss, net, turnsBefore } = row;
  return {
    thresholdTokens: row.thresholdTokens,
    turnsBefore,
    paidFromTurn: net === null ? null : paidFromTurnOf(net, row.turnsAfter),
    summaryUsage: row.spend === null ? null : usageOf(row.spend),
    dropped: shareOf(dropped),
    kept: shareOf(kept),
    ...{
      filesRead: [...filesRead],
      filesModified: [...filesModified],
      regretPaths: [...regret.paths],
    },
    cacheMiss: cacheMiss === null ? null : missOf(cacheMiss),
    net: net === null ? null : netOf(net),
  };
}

/** Each answer after it saves as much as the next. */
function paidFromTurnOf({ savedNanoUsd, netNanoUsd, leavesOut }: Net, turns: number) {
  if (savedNanoUsd === null || netNanoUsd === null || leavesOut.length > 0) return null;
  if (netNanoUsd < 0 || savedNanoUsd <= 0) return null;
  return Math.max(1, Math.ceil(((savedNanoUsd - netNanoUsd) * turns) / savedNanoUsd));
}

/** Sent first, as the answer has them. */
function usageOf(spend: TokenCounts): TokenCounts {
  const { outputTokens, ...sent } = tokenCounts(spend);
  return { ...sent, outputTokens };
}

const noDetails = {
  thresholdTokens: null,
  turnsBefore: null,
  paidFromTurn: null,
  summaryUsage: null,
  dropped: null,
  kept: null,
  filesRead: null,
  filesModified: null,
  regretPaths: null,
  cacheMiss: null,
  net: null,
};

function shareOf({ messages, tokens, parts }: SummaryRow['dropped']) {
  return { messages, tokens, parts: [...parts] };
}

function missOf({
  fromTokens,
  toTokens,
  missedTokens,
  costNanoUsd,
  reason,
}: NonNullable<SummaryRow['cacheMiss']>) {
  return { fromTokens, toTokens, missedTokens, costNanoUsd: amount(costNanoUsd), reason };
}

function netOf({
  savedTokens,
  savedNanoUsd,
  rereadNanoUsd,
  netNanoUsd,
  leavesOut,
}: NonNullable<SummaryRow['net']>) {
  const amounts = {
    savedNanoUsd: amount(savedNanoUsd),
    rereadNanoUsd: amount(rereadNanoUsd),
    netNanoUsd: amount(netNanoUsd),
  };
  return { savedTokens, ...amounts, leavesOut: [...leavesOut] };
}

function amount(nanoUsd: number | null): string | null {
  return nanoUsd === null ? null : String(nanoUsd);
}
