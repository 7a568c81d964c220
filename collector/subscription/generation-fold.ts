/**
 * Folds the log into one generation of one projection: the documents in memory, what they emitted,
 * and the position.
 *
 * The generation already holds the sealed history (beginning.ts), and its cumulative rollups mostly
 * hold everything before the seal.
 *
 * Contract: `take` and `commit` reject when the store fails; the owner then calls `reset`, which
 * drops everything that is not committed. An event that cannot be folded is set aside for this
 * projection alone, with the reason, in the commit that passes it (docs/decisions/0018). Any number
 * of them stops nothing. It also commits on its own, where one commit would keep others from the
 * thread for long. Memory is bounded by `memoryCharsMax` of encoded documents, beside those
 * of the current batch.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { floorId, type Seal } from '../log/history.ts';
import type { StoredEvent } from '../log/stored-event.ts';
import { type Emit, type Projection, UnfoldableError } from '../projections/projection.ts';
import { turnsInTime } from '../timers/in-turns.ts';
import type { Generation, ViewDocument, ViewsWriter } from '../views/views.ts';
import { DamagedViewError } from './damaged-view.ts';
import { createDeltas } from './deltas.ts';
import { createEntries, type Entry } from './entries.ts';
import { readFoldSettings } from './fold-settings.ts';
import { createGuard } from './guard.ts';
import { createSetAsideEvents } from './set-aside.ts';

export interface GenerationFold {
  /** The generation it folds into. */
  readonly generation: number;
  /** `Withdrawals.version` of the log that it began with. */
  readonly withdrawn: string;
  /** Folded, committed or not. */
  position(): number;
  committed(): number;
  /** Events folded and committed since it began; deleted ones leave gaps between positions. */
  events(): number;
  /** Events folded and not committed; without an end where `commit` would be stale. */
  pending(): number;
  /** The events that follow `position()`. */
  take(events: readonly StoredEvent[]): Promise<void>;
  commit(): Promise<'committed' | 'stale'>;
  reset(): void;
}

export interface GenerationFoldOptions {
  readonly views: ViewsWriter;
  readonly projection: Projection;
  readonly generation: Generation;
  /** The seal that it began with; null: it began empty. */
  readonly seal: Seal | null;
  /** Its cumulative rollups hold what came before the seal. */
  readonly isCounted: boolean;
  readonly memoryCharsMax: number;
  onError(error: unknown): void;
}

export function createGenerationFold(options: GenerationFoldOptions): GenerationFold {
  const { views, projection, generation, seal, memoryCharsMax, onError } = options;
  const deltas = createDeltas();
  const guard = createGuard(projection);
  /** Between the last commit and `position`. */
  const setAside = createSetAsideEvents(projection.name, onError);
  const entries = createEntries(memoryCharsMax);
  let dirty: Entry[] = [];
  let committed = generation.checkpoint;
  let position = committed;
  let events = 0;
  let committedEvents = 0;
  let resets = 0;
  let isStale = false;
  const idMin = seal === null ? '' : floorId(seal.floorMs);
  const cumulative = projection.sealing?.cumulative ?? [];

  const isEmpty = () => committed === 0 && seal === null;
  entries.clear(isEmpty());

  const emitUncounted: Emit = (rollup, dimensions, measures) => {
    if (!cumulative.includes(rollup)) deltas.emit(rollup, dimensions, measures);
  };

  function reset(): void {
    resets += 1;
    entries.clear(isEmpty());
    dirty = [];
    setAside.clear();
    deltas.take();
    position = committed;
    events = committedEvents;
  }

  /**
   * The entry of each event; null where the projection ignores the event, an error where its key
   * cannot be determined.
   */
  async function entriesOf(events: readonly StoredEvent[]): Promise<(Entry | Error | null)[]> {
    const missing: Entry[] = [];
    const found = events.map((stored) => {
      const key = isSealed(stored) ? null : guard.keyOf(stored);
      if (key === null || key instanceof Error) return key;
      const known = entries.get(key);
      if (known !== undefined) return known;
      const entry: Entry = { key, state: undefined, chars: 0, isDirty: false };
      entries.add(entry);
      missing.push(entry);
      return entry;
    });
    if (missing.length > 0) await load(missing);
    return found;
  }

  async function load(missing: readonly Entry[]): Promise<void> {
    const keys = missing.map(({ key }) => key);
    const bodies = entries.areAll()
      ? new Map<string, string>()
      : await views.load(projection, generation.id, keys);
    for (const entry of missing) {
      const body = bodies.get(entry.key);
      entry.state = body === undefined ? projection.initial(entry.key) : decode(entry.key, body);
    }
  }

  function decode(key: string, body: string): unknown {
    try {
      return projection.decode(body);
    } catch (cause) {
      throw new DamagedViewError(projection.name, key, cause);
    }
  }

  /** It is in the documents already, and not deleted yet. */
  function isSealed({ position, event }: StoredEvent): boolean {
    return seal !== null && position < seal.first && event.id < idMin;
  }

  function counts({ position }: StoredEvent): boolean {
    return seal === null || !options.isCounted || position >= seal.first;
  }

  /** False when it must be folded again from the last commit, with more care. */
  function evolve(entry: Entry, stored: StoredEvent): boolean {
    const emit = counts(stored) ? deltas.emit : emitUncounted;
    try {
      entry.state = guard.evolve(entry, stored, emit);
    } catch (cause) {
      if (!(cause instanceof UnfoldableError)) {
        // The state may be half evolved.
        guard.suspect(entry.key);
        reset();
        return false;
      }
      setAside.add(stored, cause.cause ?? cause);
      return true;
    }
    if (!entry.isDirty) {
      entry.isDirty = true;
      dirty.push(entry);
      // A commit may have dropped it meanwhile.
      entries.add(entry);
    }
    return true;
  }

  /** False as `evolve`. */
  function fold(entry: Entry | Error | null, stored: StoredEvent): boolean {
    if (entry instanceof Error) setAside.add(stored, entry);
    else if (entry !== null && !evolve(entry, stored)) return false;
    position = stored.position;
    events += 1;
    return true;
  }

  /**
   * Throws when a document cannot be written: it is then folded again, and the event that makes it
   * so is set aside.
   */
  function documentsOf(entries: readonly Entry[]): ViewDocument[] {
    return entries.map(({ key, state }) => {
      try {
        return guard.documentOf(key, state);
      } catch (error) {
        guard.suspect(key);
        throw error;
      }
    });
  }

  function isFull(): boolean {
    return dirty.length + deltas.size() >= (views.rowsPerCommit ?? Number.POSITIVE_INFINITY);
  }

  /** False where `commit` is stale. */
  async function makeRoom(): Promise<boolean> {
    await nextTurn();
    return (await commit()) === 'committed';
  }

  async function commit(): Promise<'committed' | 'stale'> {
    if (isStale) return 'stale';
    const documents = documentsOf(dirty);
    const commit = {
      generation: generation.id,
      from: committed,
      to: position,
      documents,
      deltas: deltas.take(),
      setAside: setAside.all(),
    };
    const outcome = await views.commit(projection, commit);
    isStale = outcome === 'stale';
    if (isStale) return outcome;
    setAside.clear();
    committed = commit.to;
    committedEvents = events;
    entries.settle(dirty, documents);
    dirty = [];
    await nextTurn();
    return outcome;
  }

  return {
    generation: generation.id,
    withdrawn: readFoldSettings(generation.settings).withdrawn,
    position: () => position,
    committed: () => committed,
    events: () => committedEvents,
    pending: () => (isStale ? Number.POSITIVE_INFINITY : position - committed),
    reset,
    async take(read) {
      const found = await entriesOf(read);
      const begun = resets;
      const turnIfDue = turnsInTime();
      for (const [index, stored] of read.entries()) {
        const turn = isFull() ? makeRoom() : turnIfDue();
        if (turn !== null && (await turn) === false) return;
        if (resets !== begun || !fold(found[index] ?? null, stored)) return;
      }
    },
    commit,
  };
}
