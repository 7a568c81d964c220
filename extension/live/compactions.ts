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
import { hearSettings } from './context-news.ts';
import type { Handling } from './hook-call.ts';
import type { OpenCompaction } from './session-state.ts';
import { type Means, now, sampleHost, sampleTurn, say, walk } from './steps.ts';

/** For `/ledger compactions`; no session has that many. */
const toldMax = 1_000;

export function startCompaction(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  sampleTurn(handling, means);
  hearSettings(handling, settingsInPreparation(event));
  const { trigger, instructionsChars, instructions } = compactionOf(event);
  const why = trigger ?? handling.state.automatic?.trigger ?? null;
  openCompaction(handling, means, { trigger: why, instructionsChars, instructions, mustEnd: true });
}

export function startAutoCompaction(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  sampleTurn(handling, means);
  const { trigger } = compactionOf(event);
  handling.state.automatic = { trigger };
  openCompaction(handling, means, {
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
export function startSummary(handling: Handling, _event: unknown, means: Means): void {
  walk(handling, means);
  sampleTurn(handling, means);
  if (handling.state.automatic !== null) return;
  openCompaction(handling, means, {
    trigger: null,
    instructionsChars: null,
    instructions: null,
    mustEnd: false,
  });
}

function openCompaction(
  handling: Handling,
  means: Means,
  opened: Omit<OpenCompaction, 'startedAtMs' | 'startedMonotonicMs'>,
): void {
  const { atMs, monotonicMs } = now(means);
  handling.state.compaction = { ...opened, startedAtMs: atMs, startedMonotonicMs: monotonicMs };
  means.contents?.load();
}

export function endCompaction(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  const notice = compactionOf(event);
  const { willRetry } = notice;
  const entryId = justAppended(handling) ?? notice.entryId;
  // omp tells why it compacts by itself; what it does otherwise, the user asked for.
  const isAskedFor = means.hostName === 'omp' && handling.state.automatic === null;
  const data = { entryId, ...timed(handling, means, notice), willRetry };
  const trigger = data.trigger ?? (isAskedFor ? 'manual' : null);
  say(handling, means, 'pi.compaction.timed.v1', { ...data, trigger });
  const { compactionsTold } = handling.state;
  if (entryId !== null && compactionsTold.size < toldMax)
    compactionsTold.set(entryId, { trigger, durationMs: data.durationMs });
  sampleHost(handling, means);
}

/**
 * pi finds the entry that it names by the summary's text: of two that read alike it names the
 * first. The one just made is the leaf.
 */
function justAppended({ host }: Handling): string | null {
  const leafId = host?.leafId() ?? null;
  return leafId !== null && host?.entry(leafId)?.type === 'compaction' ? leafId : null;
}

export function failCompaction(handling: Handling, event: unknown, means: Means): void {
  walk(handling, means);
  const notice = compactionOf(event);
  const { aborted, willRetry } = notice;
  handling.state.compactionsFailed += 1;
  say(handling, means, 'pi.compaction.failed.v1', {
    ...timed(handling, means, notice),
    aborted,
    willRetry,
  });
}

export function endAutoCompaction(handling: Handling, event: unknown, means: Means): void {
  if (failedAutoCompactionOf(event) !== null) failCompaction(handling, event, means);
  else walk(handling, means);
  handling.state.compaction = null;
  handling.state.automatic = null;
}

/** It began, and nothing was heard of it again: that much is said, at the time when it began. */
export function giveUpCompaction(handling: Handling, means: Means): void {
  const { compaction } = handling.state;
  handling.state.compaction = null;
  if (compaction === null || !compaction.mustEnd) return;
  handling.state.compactionsFailed += 1;
  const { trigger, startedAtMs } = compaction;
  const data = {
    trigger,
    aborted: false,
    willRetry: null,
    durationMs: null,
    ...instructionsOf(compaction, means),
  };
  say(handling, means, 'pi.compaction.failed.v1', data, startedAtMs);
}

/** What the end of a compaction and its beginning say together. */
function timed(handling: Handling, means: Means, notice: CompactionNotice) {
  const started = handling.state.compaction;
  handling.state.compaction = null;
  return {
    trigger: notice.trigger ?? started?.trigger ?? handling.state.automatic?.trigger ?? null,
    durationMs:
      started === null ? null : Math.max(0, means.clock.monotonicMs() - started.startedMonotonicMs),
    ...(started === null ? {} : instructionsOf(started, means)),
    ...(notice.fromExtension === null ? {} : { fromExtension: notice.fromExtension }),
  };
}

/** The text only where it may travel. */
function instructionsOf({ instructionsChars, instructions }: OpenCompaction, { contents }: Means) {
  const content = instructions === null ? null : (contents?.of(instructions) ?? null);
  return {
    ...(instructionsChars === null ? {} : { instructionsChars }),
    ...(content === null ? {} : { instructionsText: content }),
  };
}
