/**
 * What only the collector knows of a session: `GET /v1/agent`, read as strangers' JSON. Amounts are
 * in 10^-9 USD, by kind of billing.
 */
import type { AgentOverview, Budget } from '@pi-ledger/contract/answers';
import { billings } from '../../../contract/answers/billings.ts';
import { asCount, asList, asObject, asText, type JsonObject } from '../../../core/record/fields.ts';
import { localDay } from '../../live/day-totals.ts';
import { type BilledTotals, nothingSpent, type SpentTotals } from '../../live/totals.ts';
import type { Notices } from '../../notices.ts';
import type { CollectorConnection } from '../../shipping/connection.ts';
import { type AskedCollector, ask } from './ask.ts';

export interface Overview {
  /** Whose sums they are; null: of everybody that the token may see. */
  readonly user: string | null;
  /** It is null when the collector has not received it yet, or the token may not see it. */
  readonly session: OverviewSession | null;
  readonly projectToday: SpentTotals | null;
  readonly today: SpentTotals;
  readonly month: SpentTotals;
  readonly budgets: readonly OverviewBudget[];
  /** Which budgets of the collector's settings do not hold, and why. */
  readonly budgetsLeftOut: readonly string[];
  /** Events are missing in the sums, or an import runs: they still grow. */
  readonly isGrowing: boolean;
  /** Files read and to read. */
  readonly importing: { readonly files: number; readonly filesToRead: number } | null;
  /** Lines of session files that may hold spend and are in no sum, as far as is known. */
  readonly leftOutLines: number;
}

interface OverviewSession {
  /** Its project is ignored: it is in no sum of the collector. */
  readonly isIgnored: boolean;
  /** What the session itself recorded, and what `claimed` says. */
  readonly spent: SpentTotals;
  /** Tool results alone say that subagents spent this. It is null where it is not visible. */
  readonly claimed: SpentTotals | null;
  readonly subagents: number;
  /** There are more than were counted. */
  readonly isAtLeast: boolean;
  readonly subagentsSpent: SpentTotals;
}

/** Amounts are exact decimals in `unit`. */
export interface OverviewBudget {
  readonly name: string;
  readonly per: string;
  readonly unit: string;
  readonly limit: string;
  readonly used: string | null;
  /** 1: all of it. */
  readonly usedShare: number | null;
  readonly isAtLeast: boolean;
  readonly isHard: boolean;
  readonly endsHeadlessRuns: boolean;
  readonly version: string | null;
  /** ISO 8601, UTC; null: not known. */
  readonly period: { readonly start: string; readonly end: string } | null;
  readonly state: string | null;
  /** At the period's end, as a notice by forecast said it; null: there was none. */
  readonly expected: string | null;
}

export type OverviewAnswer =
  | { readonly is: 'overview'; readonly overview: Overview }
  | Extract<AskedCollector, { is: 'none' }>;

/** Contract: never rejects; settles within `askMsMax` (ask.ts). */
export async function askOverview(
  collector: CollectorConnection,
  sessionId: string,
  nowMs: number,
): Promise<OverviewAnswer> {
  const query = new URLSearchParams({ session: sessionId, day: localDay(nowMs) });
  const asked = await ask(`/v1/agent?${query}`, collector);
  if (asked.is === 'none') return asked;
  const overview = readOverview(asked.body);
  return overview === null
    ? { is: 'none', why: 'the answer is of another version: update both' }
    : { is: 'overview', overview };
}

/** Tells people once which budgets do not hold. */
export function tellLeftOut(answer: OverviewAnswer, notices: Pick<Notices, 'add'>): void {
  const leftOut = answer.is === 'overview' ? answer.overview.budgetsLeftOut : [];
  if (leftOut.length > 0) notices.add(`Budgets that do not hold: ${leftOut.join(' · ')}`);
}

type Named = { readonly [Name in keyof AgentOverview]?: unknown };
type NamedBudget = { readonly [Name in keyof Budget]?: unknown };
type NamedCrossing = { readonly [Name in keyof Budget['crossings'][number]]?: unknown };
type NamedSession = { readonly [Name in keyof NonNullable<AgentOverview['session']>]?: unknown };

/** Returns null if it is no such answer. */
export function readOverview(body: unknown): Overview | null {
  const said: Named | null = asObject(body);
  const [today, month] = [spentIn(said?.today), spentIn(said?.month)];
  if (said === null || today === null || month === null) return null;
  const importing = asObject(said.importing);
  return {
    user: asText(said.user),
    session: sessionIn(asObject(said.session)),
    projectToday: spentIn(said.projectToday),
    today,
    month,
    budgets: asList(said.budgets).flatMap((each) => budgetIn(asObject(each)) ?? []),
    budgetsLeftOut: asList(said.budgetsLeftOut).flatMap((each) => asText(each) ?? []),
    isGrowing: said.isBehind === true || importing !== null,
    importing:
      importing === null
        ? null
        : { files: count(importing.files), filesToRead: count(importing.filesToRead) },
    leftOutLines: count(asObject(said.leftOut)?.count),
  };
}

function sessionIn(said: NamedSession | null): OverviewSession | null {
  const spent = spentIn(said?.spent);
  const subagents = asObject(said?.subagents);
  if (said === null || spent === null) return null;
  return {
    isIgnored: said.isIgnored === true,
    spent,
    claimed: spentIn(said.claimed),
    subagents: count(subagents?.sessions),
    isAtLeast: subagents?.isAtLeast === true,
    subagentsSpent: spentIn(subagents?.spent) ?? nothingSpent(),
  };
}

function budgetIn(said: NamedBudget | null): OverviewBudget | null {
  const [name, per, unit] = [asText(said?.name), asText(said?.per), asText(said?.unit)];
  const limit = asText(said?.limit);
  if (said === null || name === null || per === null || unit === null || limit === null)
    return null;
  const { usedShare, isAtLeast } = said;
  return {
    name,
    per,
    unit,
    limit,
    used: asText(said.used),
    usedShare: typeof usedShare === 'number' ? usedShare : null,
    isAtLeast: isAtLeast === true,
    isHard: said.isHard === true,
    endsHeadlessRuns: said.endsHeadlessRuns === true,
    version: asText(said.version),
    period: periodIn(asObject(said.period)),
    state: asText(said.state),
    expected: asList(said.crossings).reduce<string | null>(
      (found, each) => found ?? expectedIn(asObject(each)),
      null,
    ),
  };
}

/** Returns null for anything but a crossing to `forecast`. */
function expectedIn(said: NamedCrossing | null): string | null {
  const forecast: { readonly middle?: unknown } | null = asObject(said?.forecast);
  return asText(forecast?.middle);
}

function periodIn(said: JsonObject | null): OverviewBudget['period'] {
  const [start, end] = [asText(said?.start), asText(said?.end)];
  return start === null || end === null ? null : { start, end };
}

function spentIn(value: unknown): SpentTotals | null {
  const said = asObject(value);
  if (said === null) return null;
  const spent = nothingSpent();
  for (const billing of billings) {
    if (!readBilled(spent[billing], asObject(said[billing]))) return null;
  }
  return spent;
}

/** False if an amount is missing: it must not become $0. */
function readBilled(into: BilledTotals, said: JsonObject | null): boolean {
  if (said === null || typeof said.nanoUsd !== 'string' || !/^\d{1,40}$/.test(said.nanoUsd))
    return false;
  into.nanoUsd = BigInt(said.nanoUsd);
  into.records = count(said.records);
  into.unpricedRecords = count(said.unpricedRecords);
  into.unreportedRecords = count(said.unreportedRecords);
  return true;
}

function count(value: unknown): number {
  return asCount(value) ?? 0;
}
