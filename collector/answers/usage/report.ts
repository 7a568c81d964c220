/**
 * The report: sums of the usage rollup by its groupings, as rows and a total. Pure.
 *
 * The amounts of the three billing kinds stay apart: a subscription's amount is a list-price
 * equivalent, not a bill.
 */
import type { CacheFigures, UsageFigures } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';
import { createCacheFigures } from '../spend/cache-figures.ts';
import {
  addSum,
  compareRanks,
  noSums,
  type Rank,
  rankOf,
  type Sums,
  toFigures,
} from '../spend/figures.ts';
import { isTime, labelled, labelsOf } from '../spend/grouping.ts';

export interface ReportRow {
  readonly labels: { readonly [Name in Grouping]?: string | null };
  readonly place: Place;
  /** How many sessions of its tree are in the row; null without a tree. */
  readonly sessions: number | null;
  readonly figures: UsageFigures;
  /** For a report by model. */
  readonly cache: CacheFigures | null;
}

/** What a row is sorted by, for each grouping: enough to find its position again. */
export type Place = readonly Level[];

interface Level {
  readonly label: string;
  /** It is of all rows with this label, under the same labels before it. */
  readonly rank: Rank;
}

export interface Report {
  readonly rows: readonly ReportRow[];
  readonly total: UsageFigures & { readonly cache?: CacheFigures };
}

/**
 * Contract: `sums` are grouped by `dimensionsOf(by)` and `billing`, with a dimension `tree` where
 * that is asked for, and by `cacheDimensions` for a report by model. Rows are sorted by the first
 * grouping, within it by the next: each by time, or by its rank, then by name.
 */
export async function makeReport(
  by: readonly Grouping[],
  sums: readonly SumRow[],
  labelsIn: LabelsIn = (dimensions) => labelsOf(by, dimensions),
): Promise<Report> {
  const hasTree = by.includes('tree');
  const cache = by.includes('model') ? await createCacheFigures(sums) : null;
  const total = noSums();
  const groups = new Map<string, Group>();
  await inTurns(sums, ({ dimensions, measures }) => {
    const labels = labelsIn(dimensions);
    addSum(total, dimensions.billing ?? '', measures);
    for (let depth = 1; depth <= by.length; depth++) {
      const group = groupOf(groups, labels.slice(0, depth));
      addSum(group.sums, dimensions.billing ?? '', measures);
      if (hasTree) group.sessions.add(dimensions.session ?? '');
      if (cache !== null && depth === by.length) group.parts.push({ dimensions, measures });
    }
  });
  const rows: ReportRow[] = [];
  await inTurns(groups.values(), (group) => {
    if (group.labels.length === by.length) rows.push(rowOf(group));
  });

  function rowOf({ labels, sums: own, sessions, parts }: Group): ReportRow {
    return {
      labels: labelled(by, labels),
      place: placeOf(labels, groups),
      sessions: hasTree ? sessions.size : null,
      // Of all rows, an answer has a page.
      get figures() {
        return toFigures(own);
      },
      get cache() {
        return cache?.of(parts) ?? null;
      },
    };
  }

  return {
    rows: rows.toSorted((a, b) => comparePlaces(by, a.place, b.place)),
    total: {
      ...toFigures(total),
      ...(cache === null ? {} : { cache: cache.total }),
    },
  };
}

/** The labels of a sum in the groupings of a report. */
export type LabelsIn = (dimensions: SumRow['dimensions']) => readonly string[];

export function comparePlaces(by: readonly Grouping[], left: Place, right: Place): number {
  for (const [index, grouping] of by.entries()) {
    const order = compareLevels(grouping, left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

interface Group {
  readonly labels: readonly string[];
  readonly sums: Sums;
  readonly sessions: Set<string>;
  readonly parts: SumRow[];
}

function groupOf(groups: Map<string, Group>, labels: readonly string[]): Group {
  const key = JSON.stringify(labels);
  const group = groups.get(key) ?? { labels, sums: noSums(), sessions: new Set(), parts: [] };
  groups.set(key, group);
  return group;
}

function placeOf(labels: readonly string[], groups: ReadonlyMap<string, Group>): Place {
  return labels.map((label, index) => {
    const sums = groups.get(JSON.stringify(labels.slice(0, index + 1)))?.sums ?? noSums();
    return { label, rank: rankOf(sums) };
  });
}

function compareLevels(by: Grouping, a: Level | undefined, b: Level | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return (isTime(by) ? 0 : compareRanks(a.rank, b.rank)) || compare(a.label, b.label);
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
