/**
 * Keeps the facts about a session's context that only the live host reports: timings, failures,
 * samples and limits.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { keepSorted } from './bounded.ts';
import { type ContextChunk, windowKey } from './chunk.ts';
import type { FixtureFact, LimitsFact, WindowFact } from './facts.ts';

export interface LiveLimits {
  /** For each kind of fact that only the live host reports. */
  readonly liveMax: number;
  /** Different models and windows. Beyond the limit, the alphabetically first are kept. */
  readonly windowsMax: number;
}

/** Returns how many facts were left out. */
export function keepLive(chunk: ContextChunk, event: LedgerEvent, limits: LiveLimits): number {
  const { liveMax } = limits;
  switch (event.type) {
    case 'pi.compaction.timed.v1': {
      const { entryId } = event.data;
      const timed = { time: event.time, eventId: event.id, entryId, ...timingFact(event.data) };
      return keepSorted(chunk.timed, timed, liveMax, JSON.stringify);
    }
    case 'pi.compaction.failed.v1': {
      const failed = {
        time: event.time,
        id: event.id,
        aborted: event.data.aborted,
        ...timingFact(event.data),
      };
      return keepSorted(chunk.failed, failed, liveMax, JSON.stringify);
    }
    case 'pi.context.sampled.v1':
      return keepSample(chunk, event, limits);
    default:
      return 0;
  }
}

type Timing = Pick<
  EventData<'pi.compaction.timed.v1'>,
  'trigger' | 'willRetry' | 'durationMs' | 'instructionsChars'
>;

function timingFact(data: Timing) {
  const { trigger, willRetry, durationMs, instructionsChars = null } = data;
  return { trigger, willRetry, durationMs, instructionsChars };
}

/**
 * A provider's count already stands in the answer's own usage, so only the rest of such a sample is
 * kept.
 */
function keepSample(
  chunk: ContextChunk,
  event: LedgerEvent<'pi.context.sampled.v1'>,
  { liveMax, windowsMax }: LiveLimits,
): number {
  const { time, data } = event;
  const { entryId, tokens, source } = data;
  keepWindow(chunk.windows, event, windowsMax);
  const sample = source === 'provider' ? null : { time, entryId, tokens, source };
  return (
    (sample === null ? 0 : keepSorted(chunk.samples, sample, liveMax, JSON.stringify)) +
    (data.limitsSource === undefined
      ? 0
      : keepSorted(chunk.limits, limitsFact(time, data), liveMax, JSON.stringify)) +
    (data.systemPromptChars === undefined && data.tools === undefined
      ? 0
      : keepSorted(chunk.fixtures, fixtureFact(time, data), liveMax, JSON.stringify))
  );
}

function limitsFact(time: string, data: EventData<'pi.context.sampled.v1'>): LimitsFact {
  const {
    windowTokens,
    autoCompaction = null,
    thresholdTokens = null,
    reserveTokens = null,
    keepRecentTokens = null,
  } = data;
  return {
    time,
    windowTokens,
    autoCompaction,
    thresholdTokens,
    reserveTokens,
    keepRecentTokens,
    source: data.limitsSource ?? 'default',
  };
}

function fixtureFact(time: string, data: EventData<'pi.context.sampled.v1'>): FixtureFact {
  const {
    systemPromptChars = null,
    toolDefinitionChars = null,
    tools = null,
    toolSetHash = null,
  } = data;
  return { time, systemPromptChars, toolDefinitionChars, tools, toolSetHash };
}

function keepWindow(
  windows: ContextChunk['windows'],
  { time, data }: LedgerEvent<'pi.context.sampled.v1'>,
  max: number,
): void {
  const { provider, model, windowTokens } = data;
  if (windowTokens === null) return;
  const window: WindowFact = {
    provider: provider ?? '',
    model: model ?? '',
    windowTokens,
    firstAt: time,
    lastAt: time,
  };
  const key = windowKey(window);
  const known = windows.get(key);
  if (known === undefined) windows.set(key, window);
  else if (time < known.firstAt) known.firstAt = time;
  else if (time > known.lastAt) known.lastAt = time;
  if (windows.size > max) windows.delete([...windows.keys()].sort().at(-1) ?? '');
}
