/** Steps of the hooks of a session at work: each adds to the single append of its hook call. */
import type { EventData } from '@pi-ledger/contract';
import type { PathState } from '../../core/record/path-state.ts';
import { type HostModel, readContextUsage, readModel } from '../host/host.ts';
import { producerVersion } from '../version.ts';
import { contextChanges } from './context-changes.ts';
import type { HookCall } from './hook-call.ts';
import { runData } from './run.ts';
import { emit, type RecorderDeps } from './steps.ts';

/** What ties an event to the entries around it. */
export function leafContext(call: HookCall) {
  const model = readModel(call.ctx);
  return {
    leafEntryId: call.host?.leafId() ?? null,
    promptEntryId: stateAtLeaf(call)?.promptEntryId ?? null,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
  };
}

/** Returns null if this process has not seen the leaf. */
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
  const model = readModel(call.ctx);
  emitSample(call, deps, {
    model,
    tokens,
    windowTokens: model?.windowTokens ?? null,
    source: 'provider',
  });
}

/** Context size by the host's estimate. Unknown right after a compaction in pi. */
export function sampleHost(call: HookCall, deps: RecorderDeps): void {
  const usage = readContextUsage(call.ctx);
  if (usage === null) return;
  emitSample(call, deps, {
    ...usage,
    model: readModel(call.ctx),
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
