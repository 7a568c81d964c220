/**
 * Folds the log into one generation of one projection: the documents in memory, what they emitted, and how far it has come.
 *
 * What was sealed of the log is in its generation already (beginning.ts), and in the cumulative rollups so is everything before the seal.
 *
 * Contract: `fold` and `commit` reject when the store fails; the owner then calls `reset`, which forgets everything that is not committed.
 * An event that the projection cannot evolve (a bug in the projection: the schema has been checked before) is skipped, for this projection
 * only, reported, and counted; with more than `skippedMax` of them the follower stops for good, because then not the events are at fault.
 * Memory is bounded by `memoryCharsMax` of encoded documents, beside those of the batch in hand.
 */

import { floorId, type Seal } from '../log/history.ts';
import type { StoredEvent } from '../log/stored-event.ts';
import type { Emit, Projection } from '../projections/projection.ts';
import type { Generation, Views } from '../views/views.ts';
import { createDeltas } from './deltas.ts';

export interface Follower {
  /** The generation it folds into. */
  readonly generation: number;
  /** Folded, committed or not. */
  position(): number;
  committed(): number;
  /** Events folded and committed since it began; deleted ones leave gaps between positions. */
  events(): number;
  /** Events folded and not committed. */
  pending(): number;
  skipped(): number;
  /** Why it stopped for good. */
  failure(): Error | null;
  /** The events that follow `position()`. */
  fold(events: readonly StoredEvent[]): Promise<void>;
  commit(): Promise<'committed' | 'stale'>;
  reset(): void;
}

export interface FollowerOptions {
  readonly views: Views;
  readonly projection: Projection;
  readonly generation: Generation;
  /** That it began with; null: it began with nothing. */
  readonly seal: Seal | null;
  readonly memoryCharsMax: number;
  onError(error: unknown): void;
}

/** An event that was left out of a view. */
export class SkippedEventError extends Error {
  readonly projection: string;
  readonly position: number;
  readonly eventId: string;

  constructor(projection: string, { position, event }: StoredEvent, cause: unknown) {
    super(`The projection ${projection} cannot fold event ${event.id} at position ${position} and leaves it out.`, { cause });
    this.name = 'SkippedEventError';
    this.projection = projection;
    this.position = position;
    this.eventId = event.id;
  }
}

interface Entry {
  readonly key: string;
  state: unknown;
  chars: number;
  isDirty: boolean;
}

export const skippedMax = 100;
/** What an entry costs beside its text. */
const entryChars = 500;

export function createFollower(options: FollowerOptions): Follower {
  const { views, projection, generation, seal, memoryCharsMax, onError } = options;
  const deltas = createDeltas();
  const skipped = new Set<number>();
  /** The least recently committed first. */
  let entries = new Map<string, Entry>();
  let dirty: Entry[] = [];
  let chars = 0;
  let committed = generation.checkpoint;
  let position = committed;
  let events = 0;
  let committedEvents = 0;
  let failure: Error | null = null;
  /** All documents of the view are in memory, so that a key that is not there needs no look at the store. */
  let isWhole = committed === 0 && seal === null;
  const idMin = seal === null ? '' : floorId(seal.floorMs);
  const cumulative = projection.sealing?.cumulative ?? [];

  const emitUncounted: Emit = (rollup, dimensions, measures) => {
    if (!cumulative.includes(rollup)) deltas.emit(rollup, dimensions, measures);
  };

  function reset(): void {
    entries = new Map();
    dirty = [];
    chars = 0;
    deltas.take();
    position = committed;
    events = committedEvents;
    isWhole = committed === 0 && seal === null;
  }

  /** The entry of each event; null for those the projection has no interest in. */
  async function entriesOf(events: readonly StoredEvent[]): Promise<(Entry | null)[]> {
    const missing: Entry[] = [];
    const found = events.map((stored) => {
      const key = isSealed(stored) ? null : projection.key(stored);
      if (key === null) return null;
      const known = entries.get(key);
      if (known !== undefined) return known;
      const entry: Entry = { key, state: undefined, chars: 0, isDirty: false };
      entries.set(key, entry);
      missing.push(entry);
      return entry;
    });
    if (missing.length > 0) await load(missing);
    return found;
  }

  async function load(missing: readonly Entry[]): Promise<void> {
    const keys = missing.map(({ key }) => key);
    const bodies = isWhole ? new Map<string, string>() : await views.load(projection, generation.id, keys);
    for (const entry of missing) {
      const body = bodies.get(entry.key);
      entry.state = body === undefined ? projection.initial(entry.key) : projection.decode(body);
    }
  }

  /** It is in the documents already; only it has not been deleted yet. */
  function isSealed({ position, event }: StoredEvent): boolean {
    return seal !== null && position < seal.first && event.id < idMin;
  }

  function isCounted({ position }: StoredEvent): boolean {
    return seal === null || position >= seal.first;
  }

  /** False when the event was skipped just now: memory is then as of the last commit. */
  function evolve(entry: Entry, stored: StoredEvent): boolean {
    if (skipped.size > 0 && skipped.has(stored.position)) return true;
    try {
      entry.state = projection.evolve(entry.state, stored, isCounted(stored) ? deltas.emit : emitUncounted);
    } catch (cause) {
      skip(stored, cause);
      return false;
    }
    if (!entry.isDirty) {
      entry.isDirty = true;
      dirty.push(entry);
    }
    return true;
  }

  /** The state may be half evolved, so all since the last commit is folded again, without this event. */
  function skip(stored: StoredEvent, cause: unknown): void {
    const error = new SkippedEventError(projection.name, stored, cause);
    skipped.add(stored.position);
    reset();
    if (skipped.size > skippedMax)
      failure = new Error(`The projection ${projection.name} stopped: it cannot fold ${skipped.size} events.`, { cause: error });
    onError(failure ?? error);
  }

  function settle(bodies: readonly { readonly body: string }[]): void {
    dirty.forEach((entry, index) => {
      const size = (bodies[index]?.body.length ?? 0) + entryChars;
      chars += size - entry.chars;
      entry.chars = size;
      entry.isDirty = false;
      entries.delete(entry.key);
      entries.set(entry.key, entry);
    });
    dirty = [];
    for (const [key, entry] of entries) {
      if (chars <= memoryCharsMax) break;
      entries.delete(key);
      chars -= entry.chars;
      isWhole = false;
    }
  }

  return {
    generation: generation.id,
    position: () => position,
    committed: () => committed,
    events: () => committedEvents,
    pending: () => position - committed,
    skipped: () => skipped.size,
    failure: () => failure,
    reset,
    async fold(read) {
      const found = await entriesOf(read);
      for (let index = 0; index < read.length; index++) {
        const entry = found[index];
        const stored = read[index] as StoredEvent;
        if (entry !== null && entry !== undefined && !evolve(entry, stored)) return;
        position = stored.position;
        events += 1;
      }
    },
    async commit() {
      const documents = dirty.map(({ key, state }) => ({ key, columns: projection.columnsOf(state), body: projection.encode(state) }));
      const commit = { generation: generation.id, from: committed, to: position, documents, deltas: deltas.take() };
      const outcome = await views.commit(projection, commit);
      if (outcome === 'stale') return outcome;
      committed = commit.to;
      committedEvents = events;
      settle(documents);
      return outcome;
    },
  };
}
