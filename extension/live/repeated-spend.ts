/**
 * What a tool's result repeats of subagents that record themselves in this process: it is in their
 * totals, and only what exceeds them is the tool's own. Subagents in other processes, and what they
 * record after the result, are not seen here: the collector knows.
 */
import { billings } from '../../contract/answers/billings.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import { fileRef, linkResult, sessionRef } from '../../core/record/link.ts';
import { isRunRef } from '../../core/record/run-ref.ts';
import { turnKey } from '../../core/record/subagent.ts';
import type { HookCall } from './hook-call.ts';
import type { SessionState } from './session-state.ts';
import { noFigures, type SessionTotals, type TotalFigures } from './totals.ts';

type ToolCompleted = EventDraft<'pi.tool.completed.v1'>;
type Spent = NonNullable<ToolCompleted['data']['spend']>;
type Sessions = readonly SessionState[];

/**
 * For results that name no subagent, and whose usage is just what one has recorded, or has recorded
 * since the last such result. Call before the append.
 */
export function linkUnnamed(
  { state, drafts, entries }: HookCall,
  sessions: Sessions,
): readonly EventDraft[] {
  const meant = new Set<SessionState>();
  return drafts.filter(isClaim).flatMap(({ data }) => {
    if (namedBy(data.entryId, drafts).size > 0) return [];
    const entry = entries.find(({ entry: { key } }) => key === data.entryId)?.entry;
    const child = childWith(claimedBy(data.spend), state, sessions, meant);
    if (entry === undefined || child === undefined) return [];
    meant.add(child);
    return [linkResult(state.id, { id: entry.key, timestamp: entry.timestamp }, child.id)];
  });
}

function childWith(
  claimed: TotalFigures,
  parent: SessionState,
  sessions: Sessions,
  meant: ReadonlySet<SessionState>,
): SessionState | undefined {
  if (!hasTokens(claimed)) return undefined;
  const likely = sessions.filter((child) => isChild(child, parent) && !meant.has(child));
  // One that no result has told of yet comes first.
  return (
    likely.find(({ totals, told }) => hasEqualTokens(less(readFigures(totals), told), claimed)) ??
    likely.find((child) => isJustThat(claimed, child))
  );
}

function isJustThat(claimed: TotalFigures, { totals, told }: SessionState): boolean {
  const recorded = readFigures(totals);
  return hasEqualTokens(less(recorded, told), claimed) || hasEqualTokens(recorded, claimed);
}

/**
 * The draft as it counts in this process; null if nothing of it does. Call once for each draft that
 * was appended, with those that were appended with it.
 */
export function withoutRepeated(
  draft: EventDraft,
  appended: readonly EventDraft[],
  state: SessionState,
  sessions: Sessions,
): EventDraft | null {
  if (!isClaim(draft) || sessions.length < 2) return draft;
  const { spend } = draft.data;
  const claimed = claimedBy(spend);
  const refs = namedBy(draft.data.entryId, appended);
  let left = claimed;
  for (const child of sessions.filter((each) => isAbout(draft, refs, each, state))) {
    const isAllSaid = isJustThat(claimed, child);
    if (isAllSaid) child.told = readFigures(child.totals);
    const repeated = common(left, less(recordedBelow(child, sessions), child.repeated));
    child.repeated = plus(child.repeated, repeated);
    left = isAllSaid ? noFigures() : less(left, repeated);
  }
  if (left === claimed) return draft;
  return isNothing(left) ? null : { ...draft, data: { ...draft.data, spend: rest(spend, left) } };
}

function isClaim(draft: EventDraft): draft is ToolCompleted & { data: { spend: Spent } } {
  return draft.type === 'pi.tool.completed.v1' && draft.data.spend !== null;
}

function claimedBy(spend: Spent): TotalFigures {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costNanoUsd } = spend;
  const nanoUsd = BigInt(costNanoUsd ?? 0);
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, nanoUsd };
}

function rest(spend: Spent, { nanoUsd, ...tokens }: TotalFigures): Spent {
  const costNanoUsd = spend.costNanoUsd === null ? null : Number(nanoUsd);
  return { ...spend, ...tokens, costNanoUsd } as Spent;
}

/** What a result calls its subagents. */
function namedBy(entryId: string, drafts: readonly EventDraft[]): ReadonlySet<string> {
  return new Set(
    drafts.flatMap(({ type, data }) =>
      type === 'pi.subagent.linked.v1' && data.entryId === entryId && !isRunRef(data.ref)
        ? [data.ref]
        : [],
    ),
  );
}

function isAbout(
  { data }: ToolCompleted,
  refs: ReadonlySet<string>,
  child: SessionState,
  parent: SessionState,
): boolean {
  if (child === parent) return false;
  const { id, file, parentage } = child;
  if (refs.size > 0)
    return refs.has(sessionRef(id)) || (file !== null && refs.has(fileRef(file) ?? ''));
  return isChild(child, parent) && parentage.parent?.key === turnKey(data.turnEntryId ?? '');
}

function isChild(child: SessionState, { id }: Pick<SessionState, 'id'>): boolean {
  return child.id !== id && child.parentage.parentSessionId === id;
}

/** By a session and its subagents at every level. */
function recordedBelow(top: SessionState, sessions: Sessions): TotalFigures {
  const found = new Set([top]);
  for (const session of found)
    for (const child of sessions) if (isChild(child, session)) found.add(child);
  return [...found].map(({ totals }) => readFigures(totals)).reduce(plus);
}

// Tokens and amounts that can be compared and subtracted. Pure.

const tokenNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof TotalFigures)[];

export function readFigures(totals: SessionTotals): TotalFigures {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, spent } = totals;
  const nanoUsd = billings.reduce((sum, billing) => sum + spent[billing].nanoUsd, 0n);
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, nanoUsd };
}

function plus(left: TotalFigures, right: TotalFigures): TotalFigures {
  return combined(left, right, (a, b) => a + b, left.nanoUsd + right.nanoUsd);
}

/** Never below zero. */
function less(left: TotalFigures, right: TotalFigures): TotalFigures {
  const nanoUsd = left.nanoUsd > right.nanoUsd ? left.nanoUsd - right.nanoUsd : 0n;
  return combined(left, right, (a, b) => Math.max(0, a - b), nanoUsd);
}

/** What both hold. */
function common(left: TotalFigures, right: TotalFigures): TotalFigures {
  return less(left, less(left, right));
}

function isNothing(figures: TotalFigures): boolean {
  return figures.nanoUsd === 0n && tokenNames.every((name) => figures[name] === 0);
}

/** To the token; amounts may be rounded differently. */
function hasEqualTokens(left: TotalFigures, right: TotalFigures): boolean {
  return tokenNames.every((name) => left[name] === right[name]);
}

function hasTokens(figures: TotalFigures): boolean {
  return tokenNames.some((name) => figures[name] > 0);
}

function combined(
  left: TotalFigures,
  right: TotalFigures,
  by: (a: number, b: number) => number,
  nanoUsd: bigint,
): TotalFigures {
  return {
    inputTokens: by(left.inputTokens, right.inputTokens),
    outputTokens: by(left.outputTokens, right.outputTokens),
    cacheReadTokens: by(left.cacheReadTokens, right.cacheReadTokens),
    cacheWriteTokens: by(left.cacheWriteTokens, right.cacheWriteTokens),
    nanoUsd,
  };
}
