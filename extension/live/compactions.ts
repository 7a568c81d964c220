/**
 * Compactions as the running host reports them: why, how long, with or without instructions, made
 * by whom, failed or not. The result of a compaction is in its entry.
 *
 * pi gives the reason with `session_before_compact` and again at the end (0.73 never does). omp
 * announces an automatic compaction beforehand (`auto_compaction_start`); of a manual one it only
 * says that a summary is being made.
 */
import {
  type CompactionNotice,
  readCompaction,
  readFailedAutoCompaction,
} from '../host/run-events.ts';
import { settingsInPreparation } from '../host/settings.ts';
import { applySettings } from './context-changes.ts';
import type { HookCall } from './hook-call.ts';
import type { OpenCompaction } from './session-state.ts';
import { emit, type RecorderDeps, walk } from './steps.ts';
import { now, sampleHost, sampleTurn } from './turn-steps.ts';

/** For `/ledger compactions`; no session has this many. */
const noticesMax = 1_000;

export function startCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  deps.requests.startSummary(call.state);
  sampleTurn(call, deps);
  applySettings(call, settingsInPreparation(event));
  const { trigger, instructionsChars, instructions } = readCompaction(event);
  const why = trigger ?? call.state.automatic?.trigger ?? null;
  openCompaction(call, deps, { trigger: why, instructionsChars, instructions, mustEnd: true });
}

export function startAutoCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  sampleTurn(call, deps);
  const { trigger } = readCompaction(event);
  call.state.automatic = { trigger };
  openCompaction(call, deps, {
    trigger,
    instructionsChars: 0,
    instructions: null,
    mustEnd: true,
  });
}

/**
 * omp makes a summary: during an automatic compaction, for a manual one, or in the background for
 * later.
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

/** Says why before the entry is recorded, so that whoever counts it knows. */
export function endCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  const notice = readCompaction(event);
  const { willRetry } = notice;
  const entryId = justAppended(call) ?? notice.entryId;
  // omp announces automatic compactions; any other one is manual.
  const isAskedFor = deps.hostName === 'omp' && call.state.automatic === null;
  const data = { entryId, ...timed(call, deps, notice), willRetry };
  const trigger = data.trigger ?? (isAskedFor ? 'manual' : null);
  emit(call, deps, 'pi.compaction.timed.v1', { ...data, trigger });
  walk(call, deps);
  const { compactionNotices } = call.state;
  if (entryId !== null && compactionNotices.size < noticesMax)
    compactionNotices.set(entryId, { trigger, durationMs: data.durationMs });
  sampleHost(call, deps);
}

/**
 * pi looks up the entry by the summary's text and names the first of two equal ones. The entry just
 * made is the leaf.
 */
function justAppended({ host }: HookCall): string | null {
  const leafId = host?.leafId() ?? null;
  return leafId !== null && host?.entry(leafId)?.type === 'compaction' ? leafId : null;
}

export function failCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  walk(call, deps);
  deps.requests.abandonSummary(call);
  const notice = readCompaction(event);
  const { aborted, willRetry } = notice;
  call.state.compactionsFailed += 1;
  emit(call, deps, 'pi.compaction.failed.v1', {
    ...timed(call, deps, notice),
    aborted,
    willRetry,
  });
}

export function endAutoCompaction(call: HookCall, event: unknown, deps: RecorderDeps): void {
  if (readFailedAutoCompaction(event) !== null) failCompaction(call, event, deps);
  else walk(call, deps);
  call.state.compaction = null;
  call.state.automatic = null;
}

/**
 * The compaction started but its end was never reported: recorded as failed, at the time it
 * started.
 */
export function abandonCompaction(call: HookCall, deps: RecorderDeps): void {
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
    ...readInstructions(compaction, deps),
  };
  emit(call, deps, 'pi.compaction.failed.v1', data, startedAtMs);
}

/** Combines what the start and the end of a compaction say. */
function timed(call: HookCall, deps: RecorderDeps, notice: CompactionNotice) {
  const started = call.state.compaction;
  call.state.compaction = null;
  return {
    trigger: notice.trigger ?? started?.trigger ?? call.state.automatic?.trigger ?? null,
    durationMs:
      started === null ? null : Math.max(0, deps.clock.monotonicMs() - started.startedMonotonicMs),
    ...(started === null ? {} : readInstructions(started, deps)),
    ...(notice.fromExtension === null ? {} : { fromExtension: notice.fromExtension }),
  };
}

/** Includes the text only if it may be sent. */
function readInstructions(
  { instructionsChars, instructions }: OpenCompaction,
  { contents }: RecorderDeps,
) {
  const content = instructions === null ? null : (contents?.of(instructions) ?? null);
  return {
    ...(instructionsChars === null ? {} : { instructionsChars }),
    ...(content === null ? {} : { instructionsText: content }),
  };
}
