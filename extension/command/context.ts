/**
 * `/ledger context` and `/ledger compactions`: how full the window is and with what, and what
 * compactions did. Short text output.
 */

import { grouped } from '../../contract/amounts.ts';
import { readModel } from '../host/host.ts';
import { readSession } from '../host/session.ts';
import {
  type CompactionOutcome,
  type ContextBreakdown,
  compactionOutcomes,
  contextBreakdown,
  type PathItem,
} from '../live/context-breakdown.ts';
import type { SessionState } from '../live/session-state.ts';
import { weighPath } from '../live/weigh-path.ts';
import { dollars } from './amounts.ts';

/** `ctx`: the host's context of the command. */
export function contextLines(session: SessionState | null, ctx: unknown): readonly string[] {
  const path = weighedPath(session, ctx);
  if (session === null || path === null) return ['Context: nothing recorded yet'];
  const breakdown = contextBreakdown(path, session.prefix?.fields ?? null);
  const windowTokens = readModel(ctx)?.windowTokens ?? null;
  const compactions = compactionOutcomes(path);
  const last = compactions.at(-1);
  const lastText = last === undefined ? '' : ` (the last: ${beforeAndAfter(last)})`;
  return [
    `Context: ${heldText(breakdown, windowTokens)}`,
    ...limitLines(session, breakdown),
    ...(breakdown.parts.length === 0 ? [] : [`Filled by: ${partsText(breakdown)}`]),
    `Compactions on this branch: ${compactions.length}${lastText}`,
  ];
}

export function compactionLines(session: SessionState | null, ctx: unknown): readonly string[] {
  const path = weighedPath(session, ctx);
  if (session === null || path === null) return ['Compactions: nothing recorded yet'];
  const compactions = compactionOutcomes(path);
  const failed = session.compactionsFailed;
  const failedText = failed === 0 ? '' : ` · ${failed} failed since this process started`;
  const shown = compactions.slice(-shownMax);
  return [
    `Compactions on this branch: ${compactions.length}${failedText}`,
    ...(shown.length < compactions.length ? [`  the last ${shown.length} of them:`] : []),
    ...shown.map((compaction) => `  ${compactionText(compaction, session)}`),
  ];
}

/** A notification, not a report. */
const shownMax = 10;
const partsMax = 7;

function weighedPath(session: SessionState | null, ctx: unknown): readonly PathItem[] | null {
  const host = readSession(ctx);
  return session === null || host === null ? null : weighPath(session, host);
}

function heldText(
  { heldTokens, isMeasured, estimatedTokens }: ContextBreakdown,
  windowTokens: number | null,
): string {
  const window = windowTokens === null ? '' : ` of ${grouped(windowTokens)}`;
  const estimate = grouped(estimatedTokens);
  if (heldTokens === null)
    return `unknown until the next answer, about ${estimate}${window} tokens by length`;
  const share = windowTokens === null ? '' : ` (${percent(heldTokens, windowTokens)})`;
  const basis = isMeasured ? 'measured' : 'the last answer plus an estimate of what followed';
  return `${grouped(heldTokens)}${window} tokens${share}, ${basis}`;
}

function limitLines({ limits }: SessionState, { heldTokens }: ContextBreakdown): readonly string[] {
  if (limits === null) return [];
  const { autoCompaction, thresholdTokens, reserveTokens, limitsSource } = limits.limits;
  if (!autoCompaction) return ['The host does not compact automatically'];
  if (thresholdTokens === null) return [];
  const distance = heldTokens === null ? '' : distanceText(thresholdTokens - heldTokens);
  return [
    `The host compacts above ${grouped(thresholdTokens)}${distance} · ` +
      `reserve ${grouped(reserveTokens)} (${sourceTexts[limitsSource]})`,
  ];
}

const sourceTexts = {
  default: 'default settings',
  files: "from the host's settings files",
  host: 'from the host',
};

function distanceText(tokens: number): string {
  return tokens >= 0
    ? `, in ${grouped(tokens)} tokens`
    : `, exceeded by ${grouped(-tokens)} tokens`;
}

function partsText({ parts }: ContextBreakdown): string {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const shown = parts.slice(0, partsMax);
  const rest = parts.slice(partsMax).reduce((sum, { tokens }) => sum + tokens, 0);
  const all = rest > 0 ? [...shown, { name: 'the rest', tokens: rest }] : shown;
  return all.map(({ name, tokens }) => `${name} ${percent(tokens, total)}`).join(', ');
}

function compactionText(
  compaction: CompactionOutcome,
  { compactionNotices }: SessionState,
): string {
  const { id, timeMs, costNanoUsd, fromExtension } = compaction;
  const told = compactionNotices.get(id);
  return [
    `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    told?.trigger ?? 'trigger unknown',
    beforeAndAfter(compaction),
    costNanoUsd === null ? 'cost unknown' : dollars(BigInt(costNanoUsd)),
    ...(told?.durationMs == null ? [] : [seconds(told.durationMs)]),
    ...(fromExtension ? ['summary by an extension'] : []),
  ].join(' · ');
}

function beforeAndAfter(compaction: CompactionOutcome): string {
  const { tokensBefore, tokensAfterMeasured, tokensAfterEstimated } = compaction;
  const before = tokensBefore === null ? 'unknown' : grouped(tokensBefore);
  if (tokensAfterMeasured !== null)
    return `${before} -> ${grouped(tokensAfterMeasured)} tokens measured`;
  const pending = `${before} -> no answer yet`;
  if (tokensAfterEstimated === null) return pending;
  return `${pending}, ${grouped(tokensAfterEstimated)} by the host's estimate`;
}

/** A non-zero share never shows as 0 %. */
function percent(part: number, whole: number): string {
  const rounded = whole === 0 ? 0 : Math.round((part * 100) / whole);
  return rounded === 0 && part > 0 ? '<1 %' : `${rounded} %`;
}

function seconds(ms: number): string {
  return ms < 50 ? '<0.1 s' : `${(ms / 1000).toFixed(1)} s`;
}
