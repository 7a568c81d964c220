/**
 * The projection `context`: the sizes of a session's entries, the usage its answers reported, and
 * how long they took, in chunks of ten minutes (key: session and bucket of the event's time), so
 * that a long session never rewrites a growing document. It stores facts;
 * collector/answers/context/ computes the answers.
 *
 * Guarantees: a function of the set of events in any order. Does not say whose session it is: join
 * the `sessions` documents.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { keepSortedWithin, removeSorted } from './context/bounded.ts';
import {
  type ContextChunk,
  chunkKey,
  createChunk,
  decodeChunk,
  encodeChunk,
} from './context/chunk.ts';
import { type PathLimits, toEntryFact } from './context/entry-fact.ts';
import { encodeEntry } from './context/entry-text.ts';
import type { EntryFact } from './context/facts.ts';
import { keepLive, type LiveLimits } from './context/live-facts.ts';
import { type ContextMoment, toMoment } from './context/moment.ts';
import type { Projection } from './projection.ts';
import { spentBy } from './session/entries.ts';
import { movedEntry } from './session/moved.ts';

/** Limits of one chunk. Beyond them, the earliest facts are kept and the rest are counted. */
export interface ContextLimits extends PathLimits, LiveLimits {
  readonly entriesMax: number;
  readonly summariesMax: number;
  readonly momentsMax: number;
}

const limitsDefault: ContextLimits = {
  entriesMax: 4_000,
  summariesMax: 50,
  momentsMax: 4_000,
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
const momentBytesMax = 1_000_000;

export const context: Projection<ContextChunk> = createContext();

export function createContext(limits: ContextLimits = limitsDefault): Projection<ContextChunk> {
  return {
    name: 'context',
    version: 4,
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
    key: ({ event }) => (isKept(event) ? chunkKey(event.subject, event.time).toWellFormed() : null),
    initial: createChunk,
    evolve(chunk, stored) {
      const event =
        stored.event.type === 'pi.entry.moved.v1' ? movedEntry(stored.event) : stored.event;
      if (chunk.firstAt === '' || event.time < chunk.firstAt) chunk.firstAt = event.time;
      if (event.time > chunk.lastAt) chunk.lastAt = event.time;
      chunk.events += 1;
      chunk.left += keep(chunk, event, limits, isMovedOut(stored.event));
      return chunk;
    },
    columnsOf: chunkColumns,
    encode: encodeChunk,
    decode: decodeChunk,
    sealing: {
      open: (body, version) => (openable.has(version) ? decodeChunk(body) : null),
      emit: () => undefined,
      cumulative: [],
    },
  };
}

/** Earlier versions kept less. */
const openable: ReadonlySet<number> = new Set([1, 2, 3, 4]);

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
  'pi.turn.timed.v1',
  'pi.tool.timed.v1',
  'pi.retry.scheduled.v1',
  'pi.human.waited.v1',
  'pi.run.completed.v1',
]);

/** A copy without its price adds nothing about the context that its owner does not say. */
function isKept(event: LedgerEvent): boolean {
  if (event.type !== 'pi.entry.moved.v1') return isFact(event) && !isUnpriced(event);
  const entry = movedEntry(event);
  return event.data.role !== 'stay' && isFact(entry) && !isUnpriced(entry);
}

/** What a tool says that it spent is in the entry of its result, which is a fact already. */
function isFact(event: LedgerEvent): boolean {
  return keptTypes.has(event.type) && !isToolUsage(event);
}

function isToolUsage(event: LedgerEvent): boolean {
  return event.type === 'pi.usage.recorded.v1' && event.data.kind === 'tool';
}

function isUnpriced(event: LedgerEvent): boolean {
  return event.ownership !== undefined && spentBy(event)?.is === 'unpriced';
}

function isMovedOut(event: LedgerEvent): boolean {
  return event.type === 'pi.entry.moved.v1' && event.data.role === 'out';
}

/** Returns how many facts were left out. */
function keep(
  chunk: ContextChunk,
  event: LedgerEvent,
  limits: ContextLimits,
  isOut: boolean,
): number {
  const moment = toMoment(event);
  if (moment !== null) return keepMoment(chunk, moment, limits);
  const fact = toEntryFact(event, limits);
  if (fact === null) return keepLive(chunk, event, limits);
  if (!isOut) return keepEntry(chunk, fact, limits);
  dropEntry(chunk, fact);
  return 0;
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

function keepMoment(
  chunk: ContextChunk,
  moment: ContextMoment,
  { momentsMax }: ContextLimits,
): number {
  const bounds = { max: momentsMax, bytesMax: momentBytesMax, textOf: momentText };
  const { left, cut } = keepSortedWithin(chunk.moments, moment, bounds, chunk.momentsCut);
  chunk.momentsCut = cut;
  return left;
}

function momentText(moment: ContextMoment): string {
  return JSON.stringify(moment);
}

function entryText(fact: EntryFact): string {
  return JSON.stringify(encodeEntry(fact));
}

function chunkColumns({ session, firstAt, lastAt, events }: ContextChunk) {
  return { session, startedAt: firstAt, lastSeenAt: lastAt, events };
}
