/** A session's time line in one answer, thinned to some items such that its sums stay exact. */
import type { Timeline, TimelineItem } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { LedgerError } from '../../errors.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { Searched } from '../compactions/read-rows.ts';
import { thinItems } from '../context/thin-items.ts';
import { type Item, nothing } from '../context/timeline-items.ts';
import type { SessionContext } from '../contexts/session-context.ts';
import { openSession } from '../sessions/open-session.ts';
import {
  type FoundSubagents,
  findSubagents,
  nothingSpent,
  type Spent,
  type Subagent,
  spendOf,
} from '../sessions/subagents.ts';
import { addSum, type BillingSums, costsOf } from '../spend/billing-sums.ts';
import { createCharges } from '../spend/charges.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { chosen, type TimelineChoice } from './choice.ts';
import { createItemAnswers, type ItemAnswers } from './item.ts';
import { createRuns } from './runs.ts';

export interface TimelineQuestion {
  /** The session's id, a prefix of it, or `last`. */
  readonly session: string;
  /** The most items, unless there are more compactions and branch summaries. */
  readonly items: number;
  /** ISO times; the second is not in the period. */
  readonly from?: string;
  readonly to?: string;
  readonly only?: TimelineChoice;
}

/** Throws `not_found`, and `bad_parameter`. */
export async function timeline(
  { contexts }: Searched,
  visible: VisibleViews,
  question: TimelineQuestion,
): Promise<Timeline> {
  const period = { from: timeOf('from', question), to: timeOf('to', question) };
  const only = question.only ?? null;
  const session = await openSession(visible, question.session);
  const { state } = session;
  const context = await contexts.open(session);
  const found = await findSubagents(visible, state.id);
  const spent = (await spendOf(visible, [state.id])).get(state.id) ?? nothingSpent();
  return timelineAnswer(
    { context, state, found, spent },
    { ...period, only, items: question.items },
  );
}

function timeOf(field: 'from' | 'to', question: TimelineQuestion): string | null {
  const text = question[field];
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new LedgerError('bad_parameter', {
    field,
    message: `${field}: expected a time such as 2026-11-22T09:30:00Z.`,
  });
}

export interface TimelineSources {
  readonly context: SessionContext;
  readonly state: SessionState;
  readonly found: FoundSubagents;
  /** What the session spent itself. */
  readonly spent: Spent;
}

export interface TimelineWish {
  readonly from: string | null;
  readonly to: string | null;
  /** When it is null, all items are wanted. */
  readonly only: TimelineChoice | null;
  readonly items: number;
}

export function timelineAnswer(
  { context, state, found, spent }: TimelineSources,
  { from, to, only, items: itemsMax }: TimelineWish,
): Timeline {
  const all = withSubagents(context.items(), found.subagents);
  const isWithin = ({ time }: Item): boolean =>
    (from === null || time >= from) && (to === null || time < to);
  const chargeOf = createCharges(state);
  const asked = chosen(all, only, { chargeOf, misses: context.cacheMisses() }).filter(isWithin);
  const runs = createRuns(all, context.facts.moments, chargeOf);
  const answers = createItemAnswers({ chargeOf, runs, subagents: found.subagents, context });
  const groups = thinItems(asked, itemsMax);
  const items = inOrder(all, groups, answers);
  return {
    session: state.id,
    project: state.timeline.attributions.at(-1)?.facts.project.name || null,
    startedAt: state.started?.at ?? state.firstSeenAt,
    lastSeenAt: state.lastSeenAt,
    items,
    itemsInAll: asked.length,
    itemsMerged: groups.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0),
    costs: costsOf(spent.costs),
    costsNotPlaced: costsOf(difference(spent.costs, answers.placed())),
    unpriced: spent.unpriced,
    unreported: spent.unreported,
    subagents: found.subagents.length,
    subagentsLeftOut: found.hasMore,
    costsOfSubagents: costsOf(sumOf(found.subagents)),
    unpricedOfSubagents: count(found.subagents, ({ unpriced }) => unpriced),
    unreportedOfSubagents: count(found.subagents, ({ unreported }) => unreported),
    factsLeftOut: context.facts.left,
  };
}

/** The sums so far begin with the session and cover what was not asked for, too. */
function inOrder(
  all: readonly Item[],
  groups: readonly (readonly [Item, ...Item[]])[],
  answers: ItemAnswers,
): TimelineItem[] {
  const groupOf = new Map(groups.map((group) => [group.at(-1), group]));
  const isAsked = new Set(groups.flat());
  return all.flatMap((item) => {
    const group = groupOf.get(item);
    if (group !== undefined) return answers.answer(group);
    if (!isAsked.has(item)) answers.pass(item);
    return [];
  });
}

/** A subagent stands where it began. */
function withSubagents(items: readonly Item[], subagents: readonly Subagent[]): readonly Item[] {
  if (subagents.length === 0) return items;
  const added = subagents.map(({ state }): Item => {
    const startedAt = state.started?.at ?? state.firstSeenAt;
    const durationMs = Math.max(0, Date.parse(state.lastSeenAt) - Date.parse(startedAt));
    return {
      ...nothing,
      kind: 'subagent',
      id: state.id,
      time: startedAt,
      startedAt,
      durationMs,
      name: state.timeline.attributions.at(-1)?.facts.agent.name ?? '',
    };
  });
  return [...items, ...added].sort(({ time: left }, { time: right }) =>
    left === right ? 0 : left < right ? -1 : 1,
  );
}

function sumOf(subagents: readonly Subagent[]): BillingSums {
  const sums: BillingSums = new Map();
  for (const { spent } of subagents)
    for (const [billing, nanoUsd] of spent.costs) addSum(sums, billing, nanoUsd);
  return sums;
}

function count(subagents: readonly Subagent[], of: (spent: Spent) => number): number {
  return subagents.reduce((sum, { spent }) => sum + of(spent), 0);
}

function difference(all: BillingSums, placed: ReadonlyMap<Billing, bigint>): BillingSums {
  const rest: BillingSums = new Map(all);
  for (const [billing, nanoUsd] of placed) addSum(rest, billing, -nanoUsd);
  return rest;
}
