/** The steps that hooks are made of: each adds to the single append of its hook call. */
import type { EventData, EventTypeName } from '@pi-ledger/contract';
import type { Contents } from '../../core/content/contents.ts';
import type { Entry } from '../../core/record/entry.ts';
import type { PathState } from '../../core/record/path-state.ts';
import type { Drops, Spool } from '../../core/spool/spool.ts';
import type { Attributor } from '../attribution/attribution.ts';
import { contextUsageOf, type HostModel, modelOf, usesOAuth } from '../host/host.ts';
import { producerVersion } from '../version.ts';
import type { RecorderClock } from './clock.ts';
import { contextChanges, type HostFacts } from './context-changes.ts';
import { liveDraft } from './draft.ts';
import type { HeadWatch } from './head-watch.ts';
import { type HookCall, recordEntries } from './hook-call.ts';
import type { PackageRequests } from './package-requests.ts';
import { resolveLeaf } from './path-states.ts';
import type { AnnounceParent } from './process-parent.ts';
import { noteScanned, scanFrom, unseenFrom, unseenOnPath } from './progress.ts';
import { runData } from './run.ts';

/** What hooks and steps depend on. */
export interface RecorderDeps extends HostFacts {
  readonly spool: Pick<Spool, 'append' | 'countRecordFailure' | 'drops' | 'bytes'>;
  readonly attributor: Attributor;
  readonly heads: HeadWatch;
  readonly requests: PackageRequests;
  readonly clock: RecorderClock;
  /** As last reported, and whether child processes are told that they are private. */
  readonly reported: { drops: Drops; isPrivate: boolean };
  readonly announceParent: AnnounceParent;
  /** Null if no texts are sent. */
  readonly contents: Contents | null;
}

export const noDrops: Drops = {
  spoolFull: 0,
  spoolUnwritable: 0,
  eventTooLarge: 0,
  recordFailed: 0,
};

export function emit<Name extends EventTypeName>(
  call: HookCall,
  deps: RecorderDeps,
  type: Name,
  data: EventData<Name>,
  timeMs: number = deps.clock.nowMs(),
): void {
  call.drafts.push(liveDraft(type, call.state.id, timeMs, data));
}

/** Records what is new between the leaf and the last seen entry. */
export function walk(call: HookCall, deps: RecorderDeps): void {
  const { state, host } = call;
  if (host !== null) record(call, deps, unseenOnPath(state, host));
}

/** Records what is new on any branch. Afterwards the mark may move. */
export function scan(call: HookCall, deps: RecorderDeps): void {
  const { state, host } = call;
  if (host === null || call.scannedTo !== null) return;
  const entries = host.entries();
  record(call, deps, unseenFrom(state, entries, scanFrom(state, entries)));
  noteScanned(state, entries);
  resolveLeaf(state, host);
  call.scannedTo = entries.at(entries.length - 1) ?? null;
}

function record(call: HookCall, deps: RecorderDeps, entries: readonly Entry[]): void {
  deps.requests.explain(call, recordEntries(call, entries, deps.spool.countRecordFailure));
}

/** Records whose session it is, unless that was already recorded and has not changed. */
export function attribute(call: HookCall, deps: RecorderDeps): void {
  const { state, ctx, host } = call;
  if (host === null) return;
  updateBilling(call);
  const attribution = deps.attributor.attribute(ctx, state);
  if (JSON.stringify(attribution) === JSON.stringify(call.attribution ?? state.attribution)) return;
  call.attribution = attribution;
  emit(call, deps, 'pi.session.attributed.v1', attribution);
}

/** What ties an event to the entries around it. */
export function leafContext(call: HookCall) {
  const model = modelOf(call.ctx);
  return {
    leafEntryId: call.host?.leafId() ?? null,
    promptEntryId: stateAtLeaf(call)?.promptEntryId ?? null,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
  };
}

/** Null if this process has not seen the leaf. */
export function stateAtLeaf({ state, host }: HookCall): PathState | null {
  return state.pathStates.get(host?.leafId() ?? '') ?? null;
}

export function closeRun(
  call: HookCall,
  deps: RecorderDeps,
  end: { atMs: number; monotonicMs: number },
  aborted: boolean,
): void {
  const { run } = call.state;
  if (run === null) return;
  emit(call, deps, 'pi.run.completed.v1', runData(run, end.monotonicMs, aborted), end.atMs);
  call.state.run = null;
}

export function now(deps: RecorderDeps): { atMs: number; monotonicMs: number } {
  return { atMs: deps.clock.nowMs(), monotonicMs: deps.clock.monotonicMs() };
}

/** Context size after the last answer, by the provider's count; once per answer. */
export function sampleTurn(call: HookCall, deps: RecorderDeps): void {
  const { state } = call;
  const tokens = state.unsampledTokens;
  if (tokens === null) return;
  state.unsampledTokens = null;
  const model = modelOf(call.ctx);
  emitSample(call, deps, {
    model,
    tokens,
    windowTokens: model?.windowTokens ?? null,
    source: 'provider',
  });
}

/** Context size by the host's estimate. Unknown right after a compaction in pi. */
export function sampleHost(call: HookCall, deps: RecorderDeps): void {
  const usage = contextUsageOf(call.ctx);
  if (usage === null) return;
  emitSample(call, deps, {
    ...usage,
    model: modelOf(call.ctx),
    source: usage.tokens === null ? 'unknown' : 'estimate',
  });
}

/** Events that could not be recorded, if their number has grown since the last report. */
export function reportDrops(call: HookCall, deps: RecorderDeps): void {
  const dropped = deps.spool.drops();
  if (JSON.stringify(dropped) === JSON.stringify(deps.reported.drops)) return;
  call.drops = dropped;
  emit(call, deps, 'pi.producer.reported.v1', {
    producerVersion,
    dropped,
    spoolBytes: deps.spool.bytes(),
  });
}

interface Sample {
  readonly model: HostModel | null;
  readonly tokens: number | null;
  readonly windowTokens: number | null;
  readonly source: EventData<'pi.context.sampled.v1'>['source'];
}

function emitSample(
  call: HookCall,
  deps: RecorderDeps,
  { model, tokens, windowTokens, source }: Sample,
): void {
  call.state.context = { tokens, windowTokens };
  emit(call, deps, 'pi.context.sampled.v1', {
    entryId: call.host?.leafId() ?? null,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    tokens,
    windowTokens,
    percent: tokens === null || windowTokens === null ? null : (tokens * 100) / windowTokens,
    source,
    ...contextChanges(call, deps, model, windowTokens ?? model?.windowTokens ?? null),
  });
}

/** Cumulative, because the host reports only the current model. */
function updateBilling(call: HookCall): void {
  const model = modelOf(call.ctx);
  if (model === null || model.provider === null) return;
  call.state.billing = {
    ...call.state.billing,
    [model.provider]: usesOAuth(call.ctx) ? 'subscription' : 'metered',
  };
}
