/**
 * What changed and what it cost, each with the rows behind it. By billing, then by amount; amounts
 * are never added up, since two insights may be about the same money.
 */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insight, Insights } from '@pi-ledger/contract/answers';
import { billings } from '@pi-ledger/contract/billings';
import { hourMs } from '@pi-ledger/core/time/units';
import type { Projection } from '../../projections/projection.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { usage } from '../../projections/usage.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import type { SessionContexts } from '../contexts/contexts.ts';
import { usageConditions } from '../filters/conditions.ts';
import { labelConditions } from '../filters/label-filter.ts';
import { isSubagent } from '../sessions/subagents.ts';
import { underRoots } from '../sessions/trees.ts';
import { spentWithSubagents } from '../sessions/with-subagents.ts';
import type { Rememberable, Remembered } from '../views/remembered.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { type Examined, examine } from './examined.ts';
import { amountOf, dimension, type Finding, type InsightLedger, totalsBy } from './finding.ts';
import { beforeWords, firstNeeded, inPeriod, inTimeBefore, periodOf, type Span } from './period.ts';
import { insightKinds } from './registry.ts';
import { type InsightFilters, optionsOf } from './scope.ts';

export interface InsightsAsked {
  readonly views: ViewsReader;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
  readonly contexts: SessionContexts;
  readonly remembered: Remembered<FoundInsights>;
}

export interface InsightsQuestion {
  /** The first day; default: 30 days before the last. */
  readonly since?: string;
  /** The last day; default: today. */
  readonly until?: string;
  readonly filters: InsightFilters;
  /** The most of each billing. */
  readonly limit: number;
  /** Only this one, with all rows behind it. */
  readonly id?: string;
  readonly nowMs: number;
  readonly hidden: ReadonlySet<string>;
  readonly withHidden: boolean;
}

const rowsBehindMax = 10;
const rowsOfOneMax = 1_000;
/** Less is not worth a line. */
const nanoUsdMin = 10_000_000n;

/** Throws `bad_parameter`. */
export async function findInsights(
  asked: InsightsAsked,
  visible: VisibleViews,
  question: InsightsQuestion,
): Promise<Insights> {
  const { limit, hidden, withHidden, id } = question;
  const { answer, isCurrent } = await asked.remembered.once(questionOf(visible, question), () =>
    readInsights(asked, visible, question),
  );
  const { period, insights, leftOut, readAtMs } = answer;
  const found = insights.map((insight) => ({ ...insight, hidden: hidden.has(insight.id) }));
  const shown = found.filter((insight) =>
    id === undefined ? withHidden || !insight.hidden : insight.id === id,
  );
  const rows = billings.flatMap((billing) =>
    shown
      .filter((insight) => insight.billing === billing)
      .toSorted(compareInsights)
      .slice(0, limit)
      .map((insight) => (id === undefined ? withFewRows(insight) : insight)),
  );
  return {
    since: period.since,
    until: period.until,
    readAt: isCurrent ? null : new Date(readAtMs).toISOString(),
    rows,
    rowsLeftOut: shown.length - rows.length,
    hiddenRows: found.length - shown.length,
    leftOut: [...leftOut],
  };
}

/** Before they are narrowed to what is shown. */
export interface FoundInsights extends Rememberable {
  readonly period: Span;
  readonly insights: readonly Insight[];
  readonly leftOut: readonly string[];
}

async function readInsights(
  asked: InsightsAsked,
  visible: VisibleViews,
  question: InsightsQuestion,
): Promise<FoundInsights> {
  const ledger = await createLedger(asked, visible, question);
  const insights: Insight[] = [];
  for (const { name, find } of insightKinds) {
    for (const finding of await find(ledger))
      if (isWorth(finding)) insights.push(insightOf(name, finding));
    await nextTurn();
  }
  return {
    ...{ period: ledger.period, insights, leftOut: await leftOutOf(ledger) },
    ...{ readAtMs: question.nowMs, rowsRead: (await ledger.bySession()).length },
  };
}

/** Periods and what they are compared with change by the hour. */
function questionOf({ where }: VisibleViews, question: InsightsQuestion): string {
  const { since, until, filters, nowMs } = question;
  const { project, user, provider, model, host, label } = filters;
  const hour = Math.floor(nowMs / hourMs);
  return JSON.stringify([where, since, until, hour, project, user, provider, model, host, label]);
}

function isWorth({ nanoUsd }: Finding): boolean {
  return nanoUsd === null || nanoUsd >= nanoUsdMin;
}

function insightOf(kind: string, finding: Finding): Insight {
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
    rows: rows.slice(0, rowsOfOneMax).map((row) => ({
      ...row,
      nanoUsd: row.nanoUsd === null ? null : row.nanoUsd.toString(),
    })),
    rowsInAll: rows.length,
    hidden: false,
  };
}

function withFewRows(insight: Insight): Insight {
  return { ...insight, rows: insight.rows.slice(0, rowsBehindMax) };
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w./:@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
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

async function createLedger(
  { sessions, contexts }: InsightsAsked,
  visible: VisibleViews,
  question: InsightsQuestion,
): Promise<InsightLedger> {
  const { views } = visible;
  const { filters, nowMs } = question;
  const period = periodOf(question, nowMs);
  const named = usageConditions(filters);
  const where = [...named, ...(await labelConditions({ views, sessions }, filters, named))];
  const times = { now: inPeriod(period), before: inTimeBefore(period, nowMs) };
  const sum: InsightLedger['sum'] = (by, when, only = []) =>
    views.sum(sessions, usage, { by, where: [...where, ...times[when], ...only] });
  let spent: Promise<readonly SumRow[]> | null = null;
  const bySession: InsightLedger['bySession'] = () => {
    spent ??= sum(['session', 'project', 'billing'], 'now');
    return spent;
  };
  let models: Promise<readonly SumRow[]> | null = null;
  let examined: Promise<Examined> | null = null;
  return {
    period,
    beforeWords: beforeWords(period),
    options: optionsOf(period, filters),
    sum,
    bySession,
    byModel() {
      models ??= sum(['model', 'provider', 'project', 'billing'], 'now');
      return models;
    },
    underMainSessions: (sums) => underRoots(views, sums, [isSubagent]),
    spentWithSubagents: (id) => spentWithSubagents(visible, id),
    examined() {
      examined ??= bySession().then((rows) =>
        examine({ visible, contexts, sessions, period, filters, ids: costliest(rows) }),
      );
      return examined;
    },
    async hasBefore() {
      const days = await views.sum(sessions, usage, { by: ['day'], where: [] });
      const first = days.map((row) => dimension(row, 'day')).toSorted()[0];
      return first !== undefined && first <= firstNeeded(period);
    },
  };
}

function costliest(rows: readonly SumRow[]): readonly string[] {
  return totalsBy(rows, ['session'])
    .toSorted((left, right) => (amountOf(left) > amountOf(right) ? -1 : 1))
    .map((row) => dimension(row, 'session'));
}

async function leftOutOf(ledger: InsightLedger): Promise<string[]> {
  const { leftOut } = await ledger.examined();
  return [
    ...leftOut,
    ...((await ledger.hasBefore())
      ? []
      : [`nothing is compared: the ledger does not have the ${ledger.period.days} days before`]),
  ];
}
