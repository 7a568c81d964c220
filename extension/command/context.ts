/**
 * `/ledger context` and `/ledger compactions`: how full the window is and of what, and what
 * compactions did to it. Text of a few lines.
 */

import { modelOf, sessionOf } from '../host/host.ts';
import {
  type CompactionOutcome,
  type ContextBreakdown,
  compactionOutcomes,
  contextBreakdown,
  type PathItem,
} from '../live/context-breakdown.ts';
import { lookUpPath } from '../live/look-up-path.ts';
import type { SessionState } from '../live/session-state.ts';
import { dollars, grouped } from './amounts.ts';

/** `ctx`: the host's, of the command. */
export function contextLines(session: SessionState | null, ctx: unknown): readonly string[] {
  const path = pathOf(session, ctx);
  if (session === null || path === null) return ['Context: nothing recorded yet'];
  const picture = contextBreakdown(path, session.prefix?.fields ?? null);
  const windowTokens = modelOf(ctx)?.windowTokens ?? null;
  const compactions = compactionOutcomes(path);
  return [
    `Context: ${heldText(picture, windowTokens)}`,
    ...limitLines(session, picture),
    ...(picture.parts.length === 0 ? [] : [`Filled by: ${partsText(picture)}`]),
    `Compactions on this branch: ${compactions.length}${compactions.length === 0 ? '' : ` (the last: ${beforeAndAfter(compactions.at(-1))})`}`,
  ];
}

export function compactionLines(session: SessionState | null, ctx: unknown): readonly string[] {
  const path = pathOf(session, ctx);
  if (session === null || path === null) return ['Compactions: nothing recorded yet'];
  const compactions = compactionOutcomes(path);
  const failed = session.compactionsFailed;
  const shown = compactions.slice(-shownMax);
  return [
    `Compactions on this branch: ${compactions.length}${failed === 0 ? '' : ` · ${failed} failed since this process began`}`,
    ...(shown.length < compactions.length ? [`  the last ${shown.length} of them:`] : []),
    ...shown.map((compaction) => `  ${compactionText(compaction, session)}`),
  ];
}

/** A notification, not a report. */
const shownMax = 10;
const partsMax = 7;

function pathOf(session: SessionState | null, ctx: unknown): readonly PathItem[] | null {
  const host = sessionOf(ctx);
  return session === null || host === null ? null : lookUpPath(session, host);
}

function heldText(
  { heldTokens, isMeasured, estimatedTokens }: ContextBreakdown,
  windowTokens: number | null,
): string {
  const window = windowTokens === null ? '' : ` of ${grouped(windowTokens)}`;
  if (heldTokens === null)
    return `not known before the next answer, about ${grouped(estimatedTokens)}${window} tokens by its characters`;
  const share = windowTokens === null ? '' : ` (${percent(heldTokens, windowTokens)})`;
  return `${grouped(heldTokens)}${window} tokens${share}, ${isMeasured ? 'measured' : 'the last answer and an estimate of what came since'}`;
}

function limitLines({ limits }: SessionState, { heldTokens }: ContextBreakdown): readonly string[] {
  if (limits === null) return [];
  const { autoCompaction, thresholdTokens, reserveTokens, limitsSource } = limits.limits;
  if (!autoCompaction) return ['The host does not compact by itself'];
  if (thresholdTokens === null) return [];
  const distance = heldTokens === null ? '' : distanceText(thresholdTokens - heldTokens);
  const source =
    limitsSource === 'default'
      ? 'nothing is set'
      : `as the ${limitsSource === 'files' ? "host's files say" : 'host says'}`;
  return [
    `The host compacts above ${grouped(thresholdTokens)}${distance} · reserve ${grouped(reserveTokens)} (${source})`,
  ];
}

function distanceText(tokens: number): string {
  return tokens >= 0 ? `, in ${grouped(tokens)} tokens` : `, passed by ${grouped(-tokens)} tokens`;
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
    told?.trigger ?? 'trigger not known',
    beforeAndAfter(compaction),
    costNanoUsd === null ? 'cost unreported' : dollars(BigInt(costNanoUsd)),
    ...(told?.durationMs == null ? [] : [seconds(told.durationMs)]),
    ...(fromExtension ? ['summary by an extension'] : []),
  ].join(' · ');
}

function beforeAndAfter(compaction: CompactionOutcome | undefined): string {
  if (compaction === undefined) return '';
  const { tokensBefore, tokensAfterMeasured, tokensAfterEstimated } = compaction;
  const before = tokensBefore === null ? 'unknown' : grouped(tokensBefore);
  if (tokensAfterMeasured !== null)
    return `${before} -> ${grouped(tokensAfterMeasured)} tokens measured`;
  return `${before} -> no answer yet${tokensAfterEstimated === null ? '' : `, ${grouped(tokensAfterEstimated)} by the host's estimate`}`;
}

/** What there is never reads as nothing. */
function percent(part: number, whole: number): string {
  const rounded = whole === 0 ? 0 : Math.round((part * 100) / whole);
  return rounded === 0 && part > 0 ? '<1 %' : `${rounded} %`;
}

function seconds(ms: number): string {
  return ms < 50 ? '<0.1 s' : `${(ms / 1000).toFixed(1)} s`;
}
