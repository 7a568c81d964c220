/**
 * Sessions, with their subagents and forks, that spent far more than is usual in their project: the
 * median of the period, over enough of them.
 */
import type { SumRow } from '../../../views/views.ts';
import { amountOf, dimension, type Finding, type InsightKind } from '../finding.ts';
import { counted, dollars, nameOr, shortId } from '../text.ts';

const sessionsMin = 8;
const timesMin = 4;
const perProjectMax = 3;
const nanoUsdMin = 100_000_000n;

export const unusualSessions: InsightKind = {
  name: 'unusual-session',
  async find({ bySession, underRoots }) {
    const rows = await underRoots(await bySession());
    const projects = Map.groupBy(rows, (row) =>
      JSON.stringify([dimension(row, 'project'), dimension(row, 'billing')]),
    );
    return [...projects.values()].flatMap(unusualIn);
  },
};

function unusualIn(rows: readonly SumRow[]): readonly Finding[] {
  const [first] = rows;
  if (first === undefined) return [];
  const trees = [...Map.groupBy(rows, (row) => dimension(row, 'tree'))].map(([id, all]) => ({
    id,
    nanoUsd: all.reduce((sum, row) => sum + amountOf(row), 0n),
    unpriced: all.reduce((sum, row) => sum + amountOf(row, 'unpricedRecords'), 0n),
  }));
  const priced = trees
    .filter(({ nanoUsd }) => nanoUsd > 0n)
    .toSorted((left, right) => (left.nanoUsd > right.nanoUsd ? -1 : 1));
  const median = medianOf(priced.map(({ nanoUsd }) => nanoUsd));
  if (priced.length < sessionsMin || median === 0n) return [];
  const isUnusual = (nanoUsd: bigint): boolean =>
    nanoUsd >= median * BigInt(timesMin) && nanoUsd - median >= nanoUsdMin;
  const project = dimension(first, 'project');
  return priced
    .filter(({ nanoUsd }) => isUnusual(nanoUsd))
    .slice(0, perProjectMax)
    .map(({ id, nanoUsd, unpriced }) => ({
      subject: [id],
      billing: dimension(first, 'billing'),
      nanoUsd: nanoUsd - median,
      bound: unpriced > 0n ? 'atLeast' : 'exact',
      isChange: true,
      title: `session ${shortId(id)} cost ${timesOf(nanoUsd, median)} times its project's median`,
      reason:
        `${dollars(nanoUsd)} against ${dollars(median)}, the median of ` +
        `${counted(priced.length, 'session')} of ${nameOr(project)}`,
      command: ['sessions', 'show', id],
      rows: [{ is: 'session', id, nanoUsd, text: dollars(nanoUsd) }],
    }));
}

function medianOf(sorted: readonly bigint[]): bigint {
  const at = (index: number): bigint => sorted[index] ?? 0n;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2n;
}

/** With one place, rounded down. */
function timesOf(nanoUsd: bigint, median: bigint): string {
  const tenths = (nanoUsd * 10n) / median;
  return `${tenths / 10n}.${tenths % 10n}`;
}
