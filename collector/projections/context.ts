/**
 * The projection `context`: the sizes of a session's entries and the usage its answers reported, in
 * chunks of ten minutes (key: session and bucket of the event's time), so that a long session never
 * rewrites a growing document. It stores facts; collector/queries/context/ computes the answers.
 *
 * Guarantees: a function of the set of events in any order. Does not say whose session it is: join
 * the `sessions` documents.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { keepSortedWithin, removeSorted } from './context/bounded.ts';
import {
  type ContextChunk,
  chunkKeyOf,
  createChunk,
  decodeChunk,
  encodeChunk,
} from './context/chunk.ts';
import { entryFactOf, type PathLimits } from './context/entry-fact.ts';
import { encodeEntry } from './context/entry-text.ts';
import type { EntryFact } from './context/facts.ts';
import { keepLive, type LiveLimits } from './context/live-facts.ts';
import type { Projection } from './projection.ts';
import { spentBy } from './session/entries.ts';
import { entryOf } from './session/moved.ts';

/** Limits of one chunk. Beyond them, the earliest facts are kept and the rest are counted. */
export interface ContextLimits extends PathLimits, LiveLimits {
  readonly entriesMax: number;
  readonly summariesMax: number;
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
 * Together with the rest of a chunk, these stay below the size limit of a document
 * (subscription/guard.ts), whatever the names and paths.
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
      /** How many events are in it. Two readings of a chunk with the same number are equal. */
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

/** A copy without its price adds nothing about the context that its owner does not say. */
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

function columnsOf({ session, firstAt, lastAt, events }: ContextChunk) {
  return { session, startedAt: firstAt, lastSeenAt: lastAt, events };
}
