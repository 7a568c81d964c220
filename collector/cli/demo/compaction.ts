/** Windows, thresholds and compactions of a made-up session, and summaries of left branches. */
import { priceTokens } from './spend.ts';
import { type DemoWork, hostOf, type Stand } from './work.ts';

const reserveTokens = 16_384;
const ompReserveShare = 0.15;
/** What a summary of a branch reads at least: the branch may have been compacted. */
const leastTokens = 2_000;
/** Roughly what a compaction keeps. */
const keptCharsMax = 24_000;

/** The host tells the window, when it compacts, and what stands before the first message. */
export function sampleContext(work: DemoWork, isAfterCompaction = false): void {
  const { recorder, window, model } = work;
  const { isOmp, isOldPi } = hostOf(work);
  const { windowTokens } = model;
  const tokens = isAfterCompaction && !isOmp ? null : window.tokens();
  const source = tokens === null ? 'unknown' : isAfterCompaction ? 'estimate' : 'provider';
  recorder.live('pi.context.sampled.v1', {
    entryId: recorder.leaf,
    provider: model.provider,
    model: model.model,
    tokens,
    windowTokens,
    percent: tokens === null ? null : (tokens / windowTokens) * 100,
    source,
    autoCompaction: true,
    thresholdTokens: compactionThreshold(work),
    reserveTokens: windowTokens - compactionThreshold(work),
    limitsSource: isOldPi ? 'files' : 'host',
    ...window.prefix,
    tools: 6,
    toolSetHash: '0b5c0d3e',
  });
}

export function compactWhenFull(work: DemoWork): void {
  const { window, recorder } = work;
  if (window.tokens() <= compactionThreshold(work)) return;
  if (recorder.random.chance(0.03)) failToCompact(work);
  compact(work);
}

function compactionThreshold(work: DemoWork): number {
  const { windowTokens } = work.model;
  const share = hostOf(work).isOmp ? Math.floor(windowTokens * ompReserveShare) : 0;
  return windowTokens - Math.max(reserveTokens, share);
}

function failToCompact({ recorder }: DemoWork): void {
  const durationMs = recorder.random.between(2_000, 60_000);
  recorder.nowMs += durationMs;
  const failure = { trigger: 'threshold', aborted: false, willRetry: true, durationMs };
  recorder.live('pi.compaction.failed.v1', failure);
}

function compact(work: DemoWork): void {
  const { recorder, window } = work;
  const { random } = recorder;
  const tokensBefore = window.tokens();
  const durationMs = random.between(8_000, 40_000);
  recorder.nowMs += durationMs;
  const summaryTokens = random.between(900, 2_600);
  const kept = chooseKept(work);
  const keptChars = kept.reduce((sum, { chars }) => sum + chars, 0);
  const placed = recorder.place({ textChars: summaryTokens * 4 });
  window.compact(keptChars + summaryTokens * 4);
  const { isOmp } = hostOf(work);
  const spend = summarySpend(work, tokensBefore, summaryTokens);
  const completed = {
    ...placed,
    tokensBefore,
    tokensAfterEstimated: isOmp ? window.tokens() : null,
    firstKeptEntryId: kept[0]?.entryId ?? placed.entryId,
    method: isOmp ? 'soft' : null,
    // Without a figure, it would count as one of unknown cost.
    fromExtension: random.chance(0.04) && spend !== null,
    filesRead: ['src/part-1.ts'],
    filesModified: [],
    spend,
  };
  // As hosts' recorders do: the reason comes before what it is the reason of.
  recorder.live('pi.compaction.timed.v1', {
    entryId: placed.entryId,
    trigger: random.chance(0.9) ? 'threshold' : 'overflow',
    willRetry: false,
    durationMs,
  });
  recorder.entry('pi.compaction.completed.v1', completed);
  work.recent = [...kept];
  sampleContext(work, true);
}

/** The newest entries, up to what a compaction keeps. */
function chooseKept({ recent }: DemoWork): DemoWork['recent'] {
  let chars = 0;
  const first = recent.findLastIndex((entry) => {
    chars += entry.chars;
    return chars > keptCharsMax;
  });
  return recent.slice(first + 1);
}

/** Only pi from 0.87 on reports what a summary cost. */
function summarySpend(work: DemoWork, inputTokens: number, outputTokens: number) {
  const { isOmp, isOldPi } = hostOf(work);
  return isOmp || isOldPi ? null : priceTokens(work.model, [inputTokens, outputTokens, 0, 0]);
}

/** The user goes back to an earlier entry and takes a summary of the branch along. */
export function leaveBranch(work: DemoWork, { leaf, tokens }: Stand): void {
  const { recorder, window } = work;
  const { random } = recorder;
  const fromEntryId = recorder.leaf;
  const summaryTokens = random.between(300, 1_200);
  recorder.nowMs += random.between(4_000, 20_000);
  recorder.leaf = leaf;
  recorder.entry('pi.branch.summarized.v1', {
    ...recorder.place({ textChars: summaryTokens * 4 }),
    fromEntryId,
    fromExtension: false,
    filesRead: ['src/part-1.ts'],
    filesModified: [],
    spend: summarySpend(work, Math.max(leastTokens, window.tokens() - tokens), summaryTokens),
  });
  window.moveTo(tokens);
  window.add(summaryTokens * 4);
  work.recent = [];
}
