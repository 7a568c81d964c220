/**
 * The projection `context`: what a session's entries weigh and what their answers measured, in
 * chunks of ten minutes (key: session and bucket of the event's time), so that a long session never
 * rewrites a growing document. It stores facts; collector/queries/context/ computes the answers.
 *
 * Guarantees: a function of the set of events, whatever their order. Does not: say whose session it
 * is (join the `sessions` documents).
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { keepSorted, keepSortedWithin, removeSorted } from './context/bounded.ts';
import {
  type ContextChunk,
  chunkKeyOf,
  createChunk,
  decodeChunk,
  encodeChunk,
  windowKeyOf,
} from './context/chunk.ts';
import { entryFactOf, type PathLimits } from './context/entry-fact.ts';
import { encodeEntry } from './context/entry-text.ts';
import type { EntryFact, FixtureFact, LimitsFact, WindowFact } from './context/facts.ts';
import type { Projection } from './projection.ts';
import { spentBy } from './session/entries.ts';
import { entryOf } from './session/moved.ts';

/** All of one chunk. Of more, the earliest are kept and the rest is counted. */
export interface ContextLimits extends PathLimits {
  readonly entriesMax: number;
  readonly summariesMax: number;
  /** Of each kind of what only the live host saw. */
  readonly liveMax: number;
  /** Different models and windows; of more, the first of the alphabet are kept. */
  readonly windowsMax: number;
}

const limitsDefault: ContextLimits = {
  entriesMax: 4_000,
  summariesMax: 50,
  liveMax: 200,
  windowsMax: 50,
  toolPathsMax: 8,
  summaryPathsMax: 100,
  pathCharsMax: 300,
};

/**
 * Together with all else of a chunk less than a document may have (subscription/guard.ts), whatever
 * the names and paths.
 */
const entryBytesMax = 8_000_000;
const summaryBytesMax = 4_000_000;

export const context: Projection<ContextChunk> = createContext();

export function createContext(limits: ContextLimits = limitsDefault): Projection<ContextChunk> {
  return {
    name: 'context',
    version: 2,
    settings: '',
    rollups: [],
    columns: {
      session: 'text',
      startedAt: 'text',
      lastSeenAt: 'text',
      /** How many events are in it: two readings of a chunk with the same number are the same. */
      events: 'integer',
    },
    indexes: [['session', 'startedAt']],
    key: ({ event }) =>
      isKept(event) ? chunkKeyOf(event.subject, event.time).toWellFormed() : null,
    initial: createChunk,
    evolve(chunk, stored) {
      const event =
        stored.event.type === 'pi.entry.moved.v1' ? entryOf(stored.event) : stored.event;
      if (chunk.firstAt === '' || event.time < chunk.firstAt) chunk.firstAt = event.time;
      if (event.time > chunk.lastAt) chunk.lastAt = event.time;
      chunk.events += 1;
      const fact = entryFactOf(event, limits);
      if (
        fact !== null &&
        stored.event.type === 'pi.entry.moved.v1' &&
        stored.event.data.role === 'out'
      )
        dropEntry(chunk, fact);
      else
        chunk.left +=
          fact === null ? keepLive(chunk, event, limits) : keepEntry(chunk, fact, limits);
      return chunk;
    },
    columnsOf,
    encode: encodeChunk,
    decode: decodeChunk,
    sealing: {
      open: (body, version) => (version === 1 || version === 2 ? decodeChunk(body) : null),
      emit: () => undefined,
      cumulative: [],
    },
  };
}

const keptTypes: ReadonlySet<LedgerEvent['type']> = new Set([
  'pi.prompt.submitted.v1',
  'pi.turn.completed.v1',
  'pi.tool.completed.v1',
  'pi.message.appended.v1',
  'pi.model.changed.v1',
  'pi.usage.recorded.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.context.edited.v1',
  'pi.compaction.timed.v1',
  'pi.compaction.failed.v1',
  'pi.context.sampled.v1',
]);

/** A copy without its price says nothing of the context that its owner does not. */
function isKept(event: LedgerEvent): boolean {
  if (event.type !== 'pi.entry.moved.v1') return keptTypes.has(event.type) && !isUnpriced(event);
  const entry = entryOf(event);
  return event.data.role !== 'stay' && keptTypes.has(entry.type) && !isUnpriced(entry);
}

function isUnpriced(event: LedgerEvent): boolean {
  return event.ownership !== undefined && spentBy(event)?.is === 'unpriced';
}

function dropEntry({ entries, summaries }: ContextChunk, fact: EntryFact): void {
  const isSummary = fact.kind === 'compaction' || fact.kind === 'branchSummary';
  if (isSummary) removeSorted(summaries, fact, entryText);
  else removeSorted(entries, fact, entryText);
}

function keepEntry(chunk: ContextChunk, fact: EntryFact, limits: ContextLimits): number {
  const textOf = entryText;
  if (fact.kind === 'compaction' || fact.kind === 'branchSummary') {
    const bounds = { max: limits.summariesMax, bytesMax: summaryBytesMax, textOf };
    const { left, cut } = keepSortedWithin(chunk.summaries, fact, bounds, chunk.summariesCut);
    chunk.summariesCut = cut;
    return left;
  }
  const bounds = { max: limits.entriesMax, bytesMax: entryBytesMax, textOf };
  const { left, cut } = keepSortedWithin(chunk.entries, fact, bounds, chunk.entriesCut);
  chunk.entriesCut = cut;
  return left;
}

function entryText(fact: EntryFact): string {
  return JSON.stringify(encodeEntry(fact));
}

function keepLive(chunk: ContextChunk, event: LedgerEvent, limits: ContextLimits): number {
  const { liveMax } = limits;
  switch (event.type) {
    case 'pi.compaction.timed.v1': {
      const { entryId } = event.data;
      const timed = { time: event.time, eventId: event.id, entryId, ...timingOf(event.data) };
      return keepSorted(chunk.timed, timed, liveMax, JSON.stringify);
    }
    case 'pi.compaction.failed.v1': {
      const failed = {
        time: event.time,
        id: event.id,
        aborted: event.data.aborted,
        ...timingOf(event.data),
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

function timingOf(data: Timing) {
  const { trigger, willRetry, durationMs, instructionsChars = null } = data;
  return { trigger, willRetry, durationMs, instructionsChars };
}

/**
 * What a provider counted stands in the answer's own usage; of such a sample only what else it says
 * is kept.
 */
function keepSample(
  chunk: ContextChunk,
  event: LedgerEvent<'pi.context.sampled.v1'>,
  { liveMax, windowsMax }: ContextLimits,
): number {
  const { time, data } = event;
  const { entryId, tokens, source } = data;
  keepWindow(chunk.windows, event, windowsMax);
  const sample = source === 'provider' ? null : { time, entryId, tokens, source };
  return (
    (sample === null ? 0 : keepSorted(chunk.samples, sample, liveMax, JSON.stringify)) +
    (data.limitsSource === undefined
      ? 0
      : keepSorted(chunk.limits, limitsFactOf(time, data), liveMax, JSON.stringify)) +
    (data.systemPromptChars === undefined && data.tools === undefined
      ? 0
      : keepSorted(chunk.fixtures, fixtureOf(time, data), liveMax, JSON.stringify))
  );
}

function limitsFactOf(time: string, data: EventData<'pi.context.sampled.v1'>): LimitsFact {
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

function fixtureOf(time: string, data: EventData<'pi.context.sampled.v1'>): FixtureFact {
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
  const key = windowKeyOf(window);
  const known = windows.get(key);
  if (known === undefined) windows.set(key, window);
  else if (time < known.firstAt) known.firstAt = time;
  else if (time > known.lastAt) known.lastAt = time;
  if (windows.size > max) windows.delete([...windows.keys()].sort().at(-1) ?? '');
}

function columnsOf({ session, firstAt, lastAt, events }: ContextChunk) {
  return { session, startedAt: firstAt, lastSeenAt: lastAt, events };
}
