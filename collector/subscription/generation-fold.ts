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
 * of them stops nothing. Memory is bounded by `memoryCharsMax` of encoded documents, beside those
 * of the current batch.
 */
import { floorId, type Seal } from '../log/history.ts';
import type { StoredEvent } from '../log/stored-event.ts';
import { type Emit, type Projection, UnfoldableError } from '../projections/projection.ts';
import { turnsInTime } from '../timers/in-turns.ts';
import type { Generation, ViewDocument, ViewsWriter } from '../views/views.ts';
import { DamagedViewError } from './damaged-view.ts';
import { createDeltas } from './deltas.ts';
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
  /** Events folded and not committed. */
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

interface Entry {
  readonly key: string;
  state: unknown;
  chars: number;
  isDirty: boolean;
}

/** The memory of an entry beside its text. */
const entryChars = 500;

export function createGenerationFold(options: GenerationFoldOptions): GenerationFold {
  const { views, projection, generation, seal, memoryCharsMax, onError } = options;
  const deltas = createDeltas();
  const guard = createGuard(projection);
  /** Between the last commit and `position`. */
  const setAside = createSetAsideEvents(projection.name, onError);
  /** The least recently committed first. */
  let entries = new Map<string, Entry>();
  let dirty: Entry[] = [];
  let chars = 0;
  let committed = generation.checkpoint;
  let position = committed;
  let events = 0;
  let committedEvents = 0;
  let resets = 0;
  /**
   * All documents of the view are in memory, so an unknown key need not be looked up in the store.
   */
  let isWhole = committed === 0 && seal === null;
  const idMin = seal === null ? '' : floorId(seal.floorMs);
  const cumulative = projection.sealing?.cumulative ?? [];

  const emitUncounted: Emit = (rollup, dimensions, measures) => {
    if (!cumulative.includes(rollup)) deltas.emit(rollup, dimensions, measures);
  };

  function reset(): void {
    resets += 1;
    entries = new Map();
    dirty = [];
    setAside.clear();
    chars = 0;
    deltas.take();
    position = committed;
    events = committedEvents;
    isWhole = committed === 0 && seal === null;
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
      entries.set(key, entry);
      missing.push(entry);
      return entry;
    });
    if (missing.length > 0) await load(missing);
    return found;
  }

  async function load(missing: readonly Entry[]): Promise<void> {
    const keys = missing.map(({ key }) => key);
    const bodies = isWhole
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
    }
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
    withdrawn: readFoldSettings(generation.settings).withdrawn,
    position: () => position,
    committed: () => committed,
    events: () => committedEvents,
    pending: () => position - committed,
    reset,
    async take(read) {
      const found = await entriesOf(read);
      const begun = resets;
      const turnIfDue = turnsInTime();
      for (let index = 0; index < read.length; index++) {
        const turn = turnIfDue();
        if (turn !== null) await turn;
        if (resets !== begun) return;
        const entry = found[index];
        const stored = read[index] as StoredEvent;
        if (entry instanceof Error) setAside.add(stored, entry);
        else if (entry !== null && entry !== undefined && !evolve(entry, stored)) return;
        position = stored.position;
        events += 1;
      }
    },
    async commit() {
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
      if (outcome === 'stale') return outcome;
      setAside.clear();
      committed = commit.to;
      committedEvents = events;
      settle(documents);
      return outcome;
    },
  };
}
