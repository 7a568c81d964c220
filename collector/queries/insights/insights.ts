/**
 * What changed and what it cost, each with the rows behind it. By billing, then by amount; amounts
 * are never added up, since two insights may be about the same money.
 */
import { createHash } from 'node:crypto';
import type { Insight, Insights } from '@pi-ledger/contract/answers';
import { LedgerError } from '../../errors.ts';
import type { Projection } from '../../projections/projection.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { usage } from '../../projections/usage.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import { dayStartMs } from '../day.ts';
import type { SessionContexts } from '../session-contexts/contexts.ts';
import { underRoots } from '../session-trees.ts';
import type { VisibleViews } from '../visible-views.ts';
import { type Examined, examine } from './examined.ts';
import { amountOf, dimension, type Finding, type InsightLedger, type Span } from './finding.ts';
import { insightKinds } from './registry.ts';

export interface InsightsAsked {
  readonly views: ViewsReader;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
  readonly contexts: SessionContexts;
}

export interface InsightsQuestion {
  /** The first day; default: 30 days before today. */
  readonly since?: string;
  /** The most of each billing. */
  readonly limit: number;
  readonly nowMs: number;
  readonly hidden: ReadonlySet<string>;
  readonly withHidden: boolean;
}

const dayMs = 86_400_000;
const offsetMsMax = 14 * 3_600_000;
const daysDefault = 30;
const daysMax = 3_660;
const rowsBehindMax = 10;
/** Less is not worth a line. */
const nanoUsdMin = 10_000_000n;

/** Throws `bad_parameter`. */
export async function findInsights(
  asked: InsightsAsked,
  visible: VisibleViews,
  question: InsightsQuestion,
): Promise<Insights> {
  const { limit, nowMs, hidden, withHidden } = question;
  const period = periodOf(question.since, nowMs);
  const ledger = createLedger(asked, visible, period);
  const found: Insight[] = [];
  for (const { name, find } of insightKinds)
    for (const finding of await find(ledger))
      if (isWorth(finding)) found.push(insightOf(name, finding, hidden));
  const shown = withHidden ? found : found.filter((insight) => !insight.hidden);
  const rows = billings.flatMap((billing) =>
    shown
      .filter((insight) => insight.billing === billing)
      .toSorted(compareInsights)
      .slice(0, limit),
  );
  return {
    since: period.since,
    until: period.until,
    rows,
    rowsLeftOut: shown.length - rows.length,
    hiddenRows: found.length - shown.length,
    leftOut: await leftOutOf(ledger),
  };
}

const billings = ['metered', 'subscription', 'unknown'] as const;

function isWorth({ nanoUsd }: Finding): boolean {
  return nanoUsd === null || nanoUsd >= nanoUsdMin;
}

function insightOf(kind: string, finding: Finding, hidden: ReadonlySet<string>): Insight {
  const { subject, nanoUsd, bound, isChange, title, reason, command, rows } = finding;
  const billing = billings.find((each) => each === finding.billing) ?? 'unknown';
  const id = createHash('sha256')
    .update(JSON.stringify([kind, billing, ...subject]))
    .digest('hex')
    .slice(0, 8);
  return {
    ...{ id, kind, billing, bound, isChange, title, reason },
    nanoUsd: nanoUsd === null ? null : nanoUsd.toString(),
    command: ['pi-ledger', ...command.map(quoted)].join(' '),
    rows: rows.slice(0, rowsBehindMax).map((row) => ({
      ...row,
      nanoUsd: row.nanoUsd === null ? null : row.nanoUsd.toString(),
    })),
    rowsInAll: rows.length,
    hidden: hidden.has(id),
  };
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w./:@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The largest first; those not known last. */
function compareInsights(left: Insight, right: Insight): number {
  if (left.nanoUsd !== right.nanoUsd) {
    if (left.nanoUsd === null) return 1;
    if (right.nanoUsd === null) return -1;
    return BigInt(left.nanoUsd) > BigInt(right.nanoUsd) ? -1 : 1;
  }
  return left.id < right.id ? -1 : 1;
}

function periodOf(since: string | undefined, nowMs: number): Span {
  const first = since ?? dayOf(nowMs - daysDefault * dayMs);
  const firstMs = dayStartMs(first);
  // East of UTC, the day that has begun may be tomorrow.
  if (firstMs === null || first > dayOf(nowMs + offsetMsMax))
    throw badSince('must be a day (2026-11-22), today or before.');
  const until = dayOf(Math.max(nowMs, firstMs));
  const days = Math.round(((dayStartMs(until) ?? 0) - firstMs) / dayMs) + 1;
  if (days > daysMax) throw badSince(`at most ${daysMax} days back.`);
  return { since: first, until, days };
}

function badSince(message: string): LedgerError {
  return new LedgerError('bad_parameter', { field: 'since', message: `since: ${message}` });
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function createLedger(
  { sessions, contexts }: InsightsAsked,
  visible: VisibleViews,
  period: Span,
): InsightLedger {
  const { views } = visible;
  const firstMs = dayStartMs(period.since) ?? 0;
  const before: Span = {
    since: dayOf(firstMs - period.days * dayMs),
    until: dayOf(firstMs - dayMs),
    days: period.days,
  };
  // Now has no end: where the spender is, it may be tomorrow.
  const sum: InsightLedger['sum'] = (by, span) =>
    views.sum(sessions, usage, {
      by,
      where: [
        { column: 'day', is: 'from', values: [span.since] },
        ...(span === period
          ? []
          : [{ column: 'day', is: 'before' as const, values: [period.since] }]),
      ],
    });
  let examined: Promise<Examined> | null = null;
  return {
    period,
    before,
    sum,
    underRoots: (sums) => underRoots(views, sums),
    examined() {
      examined ??= sum(['session'], period).then((rows) =>
        examine({ visible, contexts, sessions, period, ids: dearest(rows) }),
      );
      return examined;
    },
    async hasBefore() {
      const days = await views.sum(sessions, usage, { by: ['day'], where: [] });
      const first = days.map((row) => dimension(row, 'day')).toSorted()[0];
      return first !== undefined && first <= dayOf(firstMs - Math.ceil(period.days * 0.9) * dayMs);
    },
  };
}

function dearest(rows: readonly SumRow[]): readonly string[] {
  return rows
    .toSorted((left, right) => (amountOf(left) > amountOf(right) ? -1 : 1))
    .map((row) => dimension(row, 'session'));
}

async function leftOutOf(ledger: InsightLedger): Promise<string[]> {
  const { leftOut } = await ledger.examined();
  return [
    ...(leftOut === null ? [] : [leftOut]),
    ...((await ledger.hasBefore())
      ? []
      : [`nothing is compared: the ledger does not have the ${ledger.before.days} days before`]),
  ];
}
