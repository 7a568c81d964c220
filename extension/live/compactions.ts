/**
 * Compactions, as the running host tells of them: why, how long, with instructions or without, made
 * by whom, failed or not. What a compaction did stands in its entry.
 *
 * pi tells the reason with `session_before_compact` and again at the end (0.73 never). omp tells
 * why it compacts by itself beforehand (`auto_compaction_start`), and of one that the user asked
 * for only that a summary is being made.
 */
import { type CompactionNotice, compactionOf, failedAutoCompactionOf } from '../host/host.ts';
import { settingsInPreparation } from '../host/settings.ts';
import { applySettings } from './context-changes.ts';
import type { HookCall } from './hook-call.ts';
import type { OpenCompaction } from './session-state.ts';
import { emit, now, type RecorderDeps, sampleHost, sampleTurn, walk } from './steps.ts';

/** For `/ledger compactions`; no session has that many. */
const noticesMax = 1_000;

export function startCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  sampleTurn(call, deps);
  applySettings(call, settingsInPreparation(event));
  const { trigger, instructionsChars, instructions } = compactionOf(event);
  const why = trigger ?? call.state.automatic?.trigger ?? null;
  openCompaction(call, deps, { trigger: why, instructionsChars, instructions, mustEnd: true });
}

export function startAutoCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  sampleTurn(call, deps);
  const { trigger } = compactionOf(event);
  call.state.automatic = { trigger };
  openCompaction(call, deps, {
    trigger,
    instructionsChars: 0,
    instructions: null,
    mustEnd: true,
  });
}

/**
 * omp makes a summary: in a compaction that it began by itself, for one that the user asked for, or
 * in the background for later.
 */
export function startSummary(call: HookCall, _event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  sampleTurn(call, deps);
  if (call.state.automatic !== null) return;
  openCompaction(call, deps, {
    trigger: null,
    instructionsChars: null,
    instructions: null,
    mustEnd: false,
  });
}

function openCompaction(
  call: HookCall,
  deps: RecorderDeps,
  opened: Omit<OpenCompaction, 'startedAtMs' | 'startedMonotonicMs'>,
): void {
  const { atMs, monotonicMs } = now(deps);
  call.state.compaction = { ...opened, startedAtMs: atMs, startedMonotonicMs: monotonicMs };
  deps.contents?.load();
}

export function endCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  const notice = compactionOf(event);
  const { willRetry } = notice;
  const entryId = justAppended(call) ?? notice.entryId;
  // omp tells why it compacts by itself; what it does otherwise, the user asked for.
  const isAskedFor = deps.hostName === 'omp' && call.state.automatic === null;
  const data = { entryId, ...timed(call, deps, notice), willRetry };
  const trigger = data.trigger ?? (isAskedFor ? 'manual' : null);
  emit(call, deps, 'pi.compaction.timed.v1', { ...data, trigger });
  const { compactionNotices } = call.state;
  if (entryId !== null && compactionNotices.size < noticesMax)
    compactionNotices.set(entryId, { trigger, durationMs: data.durationMs });
  sampleHost(call, deps);
}

/**
 * pi finds the entry that it names by the summary's text: of two that read alike it names the
 * first. The one just made is the leaf.
 */
function justAppended({ host }: HookCall): string | null {
  const leafId = host?.leafId() ?? null;
  return leafId !== null && host?.entry(leafId)?.type === 'compaction' ? leafId : null;
}

export function failCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  const notice = compactionOf(event);
  const { aborted, willRetry } = notice;
  call.state.compactionsFailed += 1;
  emit(call, deps, 'pi.compaction.failed.v1', {
    ...timed(call, deps, notice),
    aborted,
    willRetry,
  });
}

export function endAutoCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  if (failedAutoCompactionOf(event) !== null) failCompaction(call, event, deps);
  else walk(call, deps);
  call.state.compaction = null;
  call.state.automatic = null;
}

/** It began, and nothing was heard of it again: that much is said, at the time when it began. */
export function giveUpCompaction(call: HookCall, deps: RecorderDeps): void {
  const { compaction } = call.state;
  call.state.compaction = null;
  if (compaction === null || !compaction.mustEnd) return;
  call.state.compactionsFailed += 1;
  const { trigger, startedAtMs } = compaction;
  const data = {
    trigger,
    aborted: false,
    willRetry: null,
    durationMs: null,
    ...instructionsOf(compaction, deps),
  };
  emit(call, deps, 'pi.compaction.failed.v1', data, startedAtMs);
}

/** What the end of a compaction and its beginning say together. */
function timed(call: HookCall, deps: RecorderDeps, notice: CompactionNotice) {
  const started = call.state.compaction;
  call.state.compaction = null;
  return {
    trigger: notice.trigger ?? started?.trigger ?? call.state.automatic?.trigger ?? null,
    durationMs:
      started === null ? null : Math.max(0, deps.clock.monotonicMs() - started.startedMonotonicMs),
    ...(started === null ? {} : instructionsOf(started, deps)),
    ...(notice.fromExtension === null ? {} : { fromExtension: notice.fromExtension }),
  };
}

/** The text only where it may travel. */
function instructionsOf(
  { instructionsChars, instructions }: OpenCompaction,
  { contents }: RecorderDeps,
) {
  const content = instructions === null ? null : (contents?.of(instructions) ?? null);
  return {
    ...(instructionsChars === null ? {} : { instructionsChars }),
    ...(content === null ? {} : { instructionsText: content }),
  };
}
