/**
 * Seals history: events older than a day are deleted, and what the projections made of them stays
 * (docs/decisions/0012).
 *
 * Contract:
 * - No total, report or counter changes, now or after a rebuild. Nothing is deleted before the seal
 *   is in force; from then on `resume` finishes what a dead process left, and may be called at any
 *   time.
 * - One at a time: a second call rejects with `sealing_already`. Rejects with `store_locked`
 *   without the right to write, and when store, log or views fail; then no seal is in force, or
 *   only the deletion is unfinished.
 * - Reading and folding yield to other work between batches; memory is bounded by `classCharsMax`
 *   of documents and the rows of cumulative rollups.
 * - Of several cells, none deletes what another one still takes in: the events refuse their copies
 *   until all cells have a floor that does.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LedgerError } from '../errors.ts';
import type { Seal } from '../log/history.ts';
import type { Log } from '../log/log.ts';
import type { Projection } from '../projections/projection.ts';
import type { ViewsReader } from '../views/views.ts';
import { readSealed, type SealedEntry, writePieces } from './content.ts';
import { sealedDocuments } from './documents.ts';
import { createParts } from './parts.ts';

export interface SealRequest {
  /** Deletes events of an earlier time. */
  readonly floorMs: number;
  /** Only counts the events. */
  readonly dryRun?: boolean;
}

interface Sealed {
  /** The floor in force, which may be later than requested. */
  readonly floorMs: number;
  /** Events deleted, or to be deleted. */
  readonly events: number;
  /** Documents kept of them and of all history sealed before. */
  readonly documents: number;
}

export interface Sealer {
  seal(request: SealRequest): Promise<Sealed>;
  resume(): Promise<void>;
  inForce(): Promise<Seal | null>;
  /**
   * Interrupts a running seal after its current batch: its promise rejects with `seal_interrupted`.
   * Resolves when it has ended; never rejects.
   */
  stop(): Promise<void>;
}

/** The part of a subscription that is used here. */
interface Barrier {
  atBarrier<Result>(work: {
    /** Appends an event and returns its position. */
    mark(): Promise<number>;
    /** Runs while every view has folded everything up to that position, and nothing after it. */
    work(): Promise<Result>;
  }): Promise<Result>;
}

export interface SealerOptions {
  readonly log: Log;
  readonly views: ViewsReader;
  /** The projections with users' rules. */
  readonly projections: readonly Projection[];
  /** The same projections without users' rules. */
  readonly bareProjections: readonly Projection[];
  readonly subscription: Barrier;
  /** It is the lowest of all cells (`History.settledFloorMs`); absent: there is only this one. */
  readonly lowestFloorMs?: () => Promise<number>;
  /** Whether this process has the right to write. */
  isWriter(): boolean;
  readonly now: () => number;
  readonly random: () => string;
  readonly classCharsMax?: number;
}

const classCharsMaxDefault = 32 * 1024 * 1024;
/** The average size that an event adds to the documents, at most. */
const charsPerEvent = 300;
const expiredPerBatch = 1_000;

export function createSealer(options: SealerOptions): Sealer {
  const { log, projections, classCharsMax = classCharsMaxDefault, isWriter } = options;
  const { lowestFloorMs } = options;
  const { history } = log;
  let running: Promise<unknown> | null = null;
  let isStopping = false;

  async function expire(): Promise<number> {
    let deleted = 0;
    for (let batch = await expireSome(); batch > 0; batch = await expireSome()) {
      deleted += batch;
      await nextTurn();
    }
    return deleted;
  }

  /** The pause between two batches. */
  function expectGoingOn(): void {
    if (isStopping) throw new LedgerError('seal_interrupted');
    if (!isWriter()) throw new LedgerError('store_locked');
  }

  async function expireSome(): Promise<number> {
    expectGoingOn();
    return history.expire(expiredPerBatch, await lowestFloorMs?.());
  }

  async function seal({ floorMs, dryRun = false }: SealRequest): Promise<Sealed> {
    const before = await history.seal();
    const isOlder = before !== null && floorMs <= before.floorMs;
    if (dryRun)
      return {
        floorMs: isOlder ? before.floorMs : floorMs,
        events: await history.countBelow(floorMs),
        documents: 0,
      };
    await expire();
    if (isOlder) return { floorMs: before.floorMs, events: 0, documents: 0 };
    const { documents, seal } = await write(floorMs, before);
    await history.enforce(seal);
    const events = await history.countBelow(floorMs);
    await expire();
    return { floorMs, events: events - (await history.countBelow(floorMs)), documents };
  }

  async function write(
    floorMs: number,
    before: Seal | null,
  ): Promise<{ documents: number; seal: Seal }> {
    const parts = createParts(options, floorMs);
    const rows = await options.subscription.atBarrier({
      mark: () => parts.append({ content: '', isLast: false }),
      work: () => cumulativeRows(options),
    });
    const first = parts.first();
    const classes = await classesOf(floorMs, before);
    let documents = 0;
    async function* entries(): AsyncGenerator<SealedEntry> {
      yield* rows;
      for await (const document of sealedDocuments({
        log,
        projections: options.bareProjections,
        before,
        floorMs,
        first,
        classes,
      })) {
        documents += 1;
        expectGoingOn();
        yield document;
      }
    }
    let last = first;
    await writePieces(entries(), async (piece) => {
      last = await parts.append(piece);
    });
    const superseded = before === null ? null : { first: before.first, last: before.last };
    return { documents, seal: { sealId: parts.sealId, floorMs, first, last, superseded } };
  }

  async function classesOf(floorMs: number, before: Seal | null): Promise<number> {
    let chars = (await history.countBelow(floorMs)) * charsPerEvent;
    if (before !== null) {
      await readSealed(log, before, (entry) => {
        if (entry.is === 'document') chars += entry.body.length;
      });
    }
    return Math.max(1, Math.ceil(chars / classCharsMax));
  }

  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!isWriter()) throw new LedgerError('store_locked');
    if (running !== null) throw new LedgerError('sealing_already');
    const result = work();
    running = result;
    try {
      return await result;
    } finally {
      running = null;
    }
  }

  return {
    async seal(request) {
      const unable = projections.find(({ sealing }) => sealing === undefined);
      if (unable !== undefined)
        throw new Error(`The view ${unable.name} cannot be rebuilt from sealed history.`);
      return request.dryRun ? seal(request) : alone(() => seal(request));
    },
    async resume() {
      await alone(expire);
    },
    inForce: () => history.seal(),
    async stop() {
      isStopping = true;
      // Its own caller gets the error.
      await running?.catch(() => undefined);
      isStopping = false;
    },
  };
}

async function cumulativeRows({ projections, views }: SealerOptions): Promise<SealedEntry[]> {
  const rows: SealedEntry[] = [];
  for (const projection of projections) {
    for (const rollup of projection.sealing?.cumulative ?? []) {
      for (const { dimensions, measures } of await views.sum(projection, rollup, {
        by: rollup.dimensions,
        where: [],
      })) {
        const amounts = Object.fromEntries(
          Object.entries(measures).map(([name, amount]) => [name, String(amount)]),
        );
        rows.push({ is: 'row', rollup: rollup.name, dimensions, measures: amounts });
      }
    }
  }
  return rows;
}
