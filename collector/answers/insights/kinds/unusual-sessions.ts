/**
 * Sessions that, with their subagents, spent far more than is usual in their project: the median of
 * the period, over enough of them. Forks and sessions begun from them are sessions of their own.
 */

import { amountNames, readBilling } from '@pi-ledger/contract/billings';
import type { SumRow } from '../../../views/views.ts';
import {
  amountOf,
  dimension,
  type Finding,
  type InsightKind,
  type InsightLedger,
} from '../finding.ts';
import { counted, dollars, nameOr, shortId } from '../text.ts';

const sessionsMin = 8;
const timesMin = 4;
const perProjectMax = 3;
const nanoUsdMin = 100_000_000n;

type SpentWithSubagents = InsightLedger['spentWithSubagents'];

export const unusualSessions: InsightKind = {
  name: 'unusual-session',
  async find({ bySession, underMainSessions, spentWithSubagents }) {
    const rows = await underMainSessions(await bySession());
    const projects = Map.groupBy(rows, (row) =>
      JSON.stringify([dimension(row, 'project'), dimension(row, 'billing')]),
    );
    const found = [...projects.values()].flatMap(unusualIn);
    return Promise.all(found.map((unusual) => findingOf(unusual, spentWithSubagents)));
  },
};

interface Unusual {
  readonly id: string;
  readonly project: string;
  readonly billing: string;
  /** In the period, with its subagents. */
  readonly nanoUsd: bigint;
  readonly unpriced: bigint;
  readonly median: bigint;
  /** The median is of so many. */
  readonly sessions: number;
}

function unusualIn(rows: readonly SumRow[]): readonly Unusual[] {
  const [first] = rows;
  if (first === undefined) return [];
  const sessions = [...Map.groupBy(rows, (row) => dimension(row, 'tree'))].map(([id, all]) => ({
    id,
    nanoUsd: all.reduce((sum, row) => sum + amountOf(row), 0n),
    unpriced: all.reduce((sum, row) => sum + amountOf(row, 'unpricedRecords'), 0n),
  }));
  const priced = sessions
    .filter(({ nanoUsd }) => nanoUsd > 0n)
    .toSorted((left, right) => (left.nanoUsd > right.nanoUsd ? -1 : 1));
  const median = medianOf(priced.map(({ nanoUsd }) => nanoUsd));
  if (priced.length < sessionsMin || median === 0n) return [];
  const isUnusual = (nanoUsd: bigint): boolean =>
    nanoUsd >= median * BigInt(timesMin) && nanoUsd - median >= nanoUsdMin;
  const [project, billing] = [dimension(first, 'project'), dimension(first, 'billing')];
  return priced
    .filter(({ nanoUsd }) => isUnusual(nanoUsd))
    .slice(0, perProjectMax)
    .map((session) => ({ ...session, project, billing, median, sessions: priced.length }));
}

/** Where the session spent more than was counted, it says what the session's own page does. */
async function findingOf(unusual: Unusual, spentIn: SpentWithSubagents): Promise<Finding> {
  const { id, project, billing, nanoUsd, unpriced, median, sessions } = unusual;
  const whole = await spentIn(id);
  const inAll = BigInt(whole[amountNames[readBilling(billing)]]);
  const spent = dollars(nanoUsd) + (inAll === nanoUsd ? '' : ` of ${dollars(inAll)} in all`);
  const below = whole.subagents === 0 ? '' : ` with ${counted(whole.subagents, 'subagent')}`;
  return {
    subject: [id],
    billing,
    nanoUsd: nanoUsd - median,
    bound: unpriced > 0n ? 'atLeast' : 'exact',
    isChange: true,
    title:
      `session ${shortId(id)}${below} cost ${timesOf(nanoUsd, median)} times ` +
      "its project's median",
    reason:
      `${spent} against ${dollars(median)}, the median of ` +
      `${counted(sessions, 'session')} of ${nameOr(project)}`,
    command: ['sessions', 'show', id],
    rows: [{ is: 'session', id, nanoUsd: nanoUsd - median, text: `${spent}${below}` }],
  };
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
