/**
 * Processes the log for one projection: the view that queries see, and beside it, during a rebuild,
 * the one that replaces it.
 *
 * Contract: `open`, `settle` and `finish` reject when the store fails; the owner then calls `reset`
 * and starts over.
 */
import { LedgerError } from '../errors.ts';
import type { Seal } from '../log/history.ts';
import type { Log } from '../log/log.ts';
import type { Projection } from '../projections/projection.ts';
import type { Generation, Views } from '../views/views.ts';
import { beginView } from './beginning.ts';
import { isFoldedAs } from './fold-settings.ts';
import { createGenerationFold, type GenerationFold } from './generation-fold.ts';
import { type ProjectionState, type Rebuilt, setAsideShown } from './projection-state.ts';

export interface ProjectionProcessor {
  readonly projection: Projection;
  /** Returns null before the projection has a view of its present version and settings. */
  live(): GenerationFold | null;
  building(): GenerationFold | null;
  /** `live` and `building`, where they are. */
  folds(): readonly GenerationFold[];
  failure(): Error | null;
  /** The view has what is withdrawn, and is being folded anew. */
  isOutdated(): boolean;
  state(head: number): Promise<ProjectionState>;
  /**
   * Finds the view, or begins one where there is none, a rebuild is requested, or the view was
   * folded with other withdrawals than the log has (`Withdrawals.version`); it goes on meanwhile.
   */
  open(withdrawn: string): Promise<void>;
  /**
   * Drops a rebuild that began with another seal than the one in force: it may lack events that the
   * new seal let be deleted.
   */
  expectSeal(seal: Seal | null): void;
  /** Commits what is due, and swaps the views when the new one has caught up. */
  settle(step: Step): Promise<void>;
  /** What remains to be done after `settle`. */
  left(caughtUp: Step['caughtUp']): Left;
  rebuild(): Promise<Rebuilt>;
  /** Folds the view anew, and feeds the damaged one no more. */
  replace(): void;
  /** Rejects the promises of `rebuild`. */
  abandon(error: Error): void;
  /** Forgets what is not committed. */
  reset(): void;
  /** Commits what is pending in the view. */
  finish(): Promise<void>;
}

interface Step {
  /** Those that have read to the log's end. */
  readonly caughtUp: ReadonlySet<GenerationFold>;
  /** A caller waits: commit now. */
  readonly isUrgent: boolean;
}

export type Left = 'events' | 'uncommitted' | 'nothing';

export interface ProjectionProcessorOptions {
  readonly log: Log;
  readonly views: Views;
  readonly projection: Projection;
  /** With more events folded and not committed, it commits before the next read. */
  readonly pendingEventsMax: number;
  /** The least time between commits while events keep arriving. */
  readonly commitIntervalMs: number;
  readonly memoryCharsMax: number;
  monotonicMs(): number;
  onError(error: unknown): void;
}

/**
 * The pause between two commits, in durations of a commit: the fixed cost of commits must not keep
 * the store from ingesting.
 */
const pausePerCommit = 10;
/** A live view must not lag more than this. */
const commitIntervalMsMax = 1_000;

export function createProjectionProcessor(
  options: ProjectionProcessorOptions,
): ProjectionProcessor {
  const { log, views, projection, pendingEventsMax, commitIntervalMs, monotonicMs, onError } =
    options;
  let live: GenerationFold | null = null;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let building: GenerationFold | null = null;
  let begunWith: Seal | null = null;
  let withdrawn = '';
  let impossible: string | null = null;
  let begunAtMs = 0;
  let waiting: PromiseWithResolvers<Rebuilt> | null = null;
  let failure: Error | null = null;
  let isDamaged = false;

  const foldInto = (generation: Generation, seal: Seal | null, isCounted: boolean) =>
    createGenerationFold({ ...options, generation, seal, isCounted });

  async function begin(seal: Seal | null): Promise<void> {
    begunAtMs = monotonicMs();
    begunWith = seal;
    try {
      const { generation, isCounted } = await beginView({
        log,
        views,
        projection,
        seal,
        withdrawn,
      });
      building = foldInto(generation, seal, isCounted);
    } catch (error) {
      if (!(error instanceof LedgerError) || error.code !== 'sealed_by_another_version')
        throw error;
      impossible = withdrawn;
      giveUp(error);
      onError(error);
    }
  }

  /** The view that is there, or a new one. */
  async function find(seal: Seal | null): Promise<void> {
    const generation = isDamaged ? null : await views.live(projection);
    if (generation !== null && isFoldedAs(projection, generation) && reaches(generation, seal))
      live = foldInto(generation, seal, true);
    else await begin(seal);
  }

  async function commit(fold: GenerationFold): Promise<void> {
    if ((await fold.commit()) === 'committed') return;
    // Another process moved or dropped it: what is in memory is outdated.
    if (fold === live) live = null;
    else building = null;
  }

  async function settleLive(fold: GenerationFold, isUrgent: boolean): Promise<void> {
    if (fold.pending() === 0) return;
    const isDue = isUrgent || fold.pending() > pendingEventsMax || monotonicMs() >= dueAtMs;
    if (!isDue) return;
    const begunAtMs = monotonicMs();
    await commit(fold);
    const committedAtMs = monotonicMs();
    dueAtMs = committedAtMs + intervalAfter(committedAtMs - begunAtMs);
  }

  function intervalAfter(commitMs: number): number {
    return Math.min(commitIntervalMsMax, Math.max(commitIntervalMs, commitMs * pausePerCommit));
  }

  async function settleBuilding(fold: GenerationFold, isCaughtUp: boolean): Promise<void> {
    if (fold.pending() > 0 && (isCaughtUp || fold.pending() > pendingEventsMax)) await commit(fold);
    // The live view was fed first, so the new one is not ahead of it.
    if (isCaughtUp && building === fold) await promote(fold);
  }

  async function promote(fold: GenerationFold): Promise<void> {
    const outcome = await views.promote(projection, fold.generation);
    building = null;
    if (outcome === 'stale') return;
    live = fold;
    failure = null;
    isDamaged = false;
    waiting?.resolve({ events: fold.events(), durationMs: monotonicMs() - begunAtMs });
    waiting = null;
  }

  /** The live view goes on; without one the projection has stopped. */
  function giveUp(stopped: Error): void {
    building = null;
    if (live === null) failure = stopped;
    abandon(stopped);
  }

  function abandon(error: Error): void {
    waiting?.reject(error);
    waiting = null;
  }

  const folds = () => [live, building].filter((fold) => fold !== null);
  const needsView = () => live === null && building === null && failure === null;
  const isOutdated = (fold: GenerationFold | null) =>
    fold !== null && fold.withdrawn !== withdrawn && impossible !== withdrawn;
  const needsRebuild = () => building === null && (waiting !== null || isOutdated(live));

  return {
    projection,
    live: () => live,
    building: () => building,
    folds,
    failure: () => failure,
    isOutdated: () => isOutdated(live),
    async state(head) {
      const shown = live === null ? await views.live(projection) : null;
      return {
        projection: projection.name,
        position: live?.committed() ?? shown?.checkpoint ?? 0,
        head,
        rebuildPosition: building?.committed() ?? null,
        isOutdated: shown === null ? isOutdated(live) : !isFoldedAs(projection, shown),
        setAside: await views.setAside(projection, setAsideShown),
      };
    },
    async open(now) {
      withdrawn = now;
      if (isOutdated(building)) building = null;
      if (!needsView() && !needsRebuild()) return;
      const seal = await log.history.seal();
      if (needsView()) await find(seal);
      if (needsRebuild()) await begin(seal);
    },
    expectSeal(seal) {
      if (building !== null && begunWith?.sealId !== seal?.sealId) building = null;
    },
    async settle({ caughtUp, isUrgent }) {
      if (live !== null) await settleLive(live, isUrgent && caughtUp.has(live));
      if (building !== null) await settleBuilding(building, caughtUp.has(building));
    },
    left(caughtUp) {
      if (needsView() || needsRebuild() || folds().some((fold) => !caughtUp.has(fold)))
        return 'events';
      return folds().some((fold) => fold.pending() > 0) ? 'uncommitted' : 'nothing';
    },
    rebuild() {
      waiting ??= Promise.withResolvers<Rebuilt>();
      return waiting.promise;
    },
    replace() {
      live = null;
      building = null;
      isDamaged = true;
    },
    abandon,
    reset() {
      live?.reset();
      building?.reset();
    },
    async finish() {
      if (live !== null && live.pending() > 0) await commit(live);
    },
  };
}

/** A view behind the seal may lack what was deleted. */
function reaches({ checkpoint }: Generation, seal: Seal | null): boolean {
  return seal === null || checkpoint >= seal.first;
}
