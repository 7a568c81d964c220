/**
 * Where the rows of the audit are, by time: what was read of the projection `compactions`, from the
 * newest back as far as anybody asked.
 */
import { compactions } from '../../../projections/compactions.ts';
import type { DocumentQuery, ViewDocument, ViewsReader } from '../../../views/views.ts';

export interface Place {
  readonly id: string;
  readonly session: string;
  readonly time: string;
  readonly kind: string;
}

export interface Places {
  /** Reads on until all that happened from then on are here. False: too many. */
  reach(time: string): Promise<boolean>;
  /** The newest first. */
  all(): readonly Place[];
  /** Reads these again. */
  renew(ids: ReadonlySet<string>): Promise<void>;
  clear(): void;
  /** New ones have come until there are too many to keep. */
  isFull(): boolean;
}

/** A row and its place take about a kilobyte. */
const placesMax = 40_000;
const placesPerQueryMax = 5_000;
const idsPerQueryMax = 500;

export function createPlaces(views: ViewsReader): Places {
  const known = new Map<string, Place>();
  let sorted: readonly Place[] | null = null;
  /** The oldest that was read in order; null: none yet. */
  let oldest: ViewDocument | null = null;
  let hasAll = false;

  function add(document: ViewDocument): void {
    const { session, happenedAt, kind } = document.columns;
    known.set(document.key, {
      ...{ id: document.key, session: String(session) },
      ...{ time: String(happenedAt), kind: String(kind) },
    });
    sorted = null;
  }

  async function readOn(): Promise<void> {
    const after: Pick<DocumentQuery, 'after'> =
      oldest === null ? {} : { after: { value: timeOf(oldest), key: oldest.key } };
    const page = await views.find(compactions, {
      where: [],
      orderBy: { column: 'happenedAt', descending: true },
      limit: placesPerQueryMax,
      bodies: false,
      ...after,
    });
    for (const document of page) add(document);
    oldest = page.at(-1) ?? oldest;
    hasAll = page.length < placesPerQueryMax;
  }

  return {
    async reach(time) {
      while (!hasAll && (oldest === null || timeOf(oldest) >= time)) {
        if (known.size >= placesMax) return false;
        await readOn();
      }
      return true;
    },
    all() {
      sorted ??= [...known.values()].sort((left, right) => comparePlaces(right, left));
      return sorted;
    },
    async renew(ids) {
      const all = [...ids];
      for (let from = 0; from < all.length; from += idsPerQueryMax) {
        const values = all.slice(from, from + idsPerQueryMax);
        const documents = await views.find(compactions, {
          where: [{ column: 'key', is: 'in', values }],
          orderBy: { column: 'key', descending: false },
          limit: values.length,
          bodies: false,
        });
        for (const document of documents)
          if (hasAll || (oldest !== null && timeOf(document) >= timeOf(oldest))) add(document);
      }
    },
    clear() {
      known.clear();
      sorted = null;
      oldest = null;
      hasAll = false;
    },
    isFull: () => known.size > placesMax + placesPerQueryMax,
  };
}

/** Compares by time, then by id. */
export function comparePlaces(
  left: Pick<Place, 'time' | 'id'>,
  right: Pick<Place, 'time' | 'id'>,
): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return left.id === right.id ? 0 : left.id < right.id ? -1 : 1;
}

function timeOf({ columns }: ViewDocument): string {
  return String(columns.happenedAt);
}
