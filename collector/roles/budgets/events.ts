/**
 * The events that a look at the budgets comes to. Pure.
 *
 * An id follows from what the event says it is about, so two collectors that write one crossing
 * write one event. Its time is never in the past (the end of the period, or of the day): history
 * that is sealed meanwhile does not reach it.
 */

import type { BudgetForecast, LedgerEvent } from '@pi-ledger/contract';
import { entryEventId, plainIdentity } from '@pi-ledger/core/record/identity/event-id';
import { dayMs } from '@pi-ledger/core/time/units';
import { amountText, type NamedBudget } from '../../answers/budgets/definition.ts';
import type { Measured } from '../../answers/budgets/measure.ts';
import { crossingsIn } from '../../answers/budgets/said.ts';
import type { SaidCrossing, SaidDefinition } from '../../projections/budgets.ts';
import { nextCrossing } from './next-crossing.ts';

/** What is new, changed or gone in comparison with what was said last. */
export function definitionEvents(
  said: ReadonlyMap<string, SaidDefinition>,
  configured: readonly NamedBudget[],
  nowMs: number,
): LedgerEvent[] {
  const names = new Set(configured.map(({ name }) => name));
  const changed = configured.filter(({ name, version }) => said.get(name)?.version !== version);
  const removed = [...said.values()].filter(
    ({ budget, version }) => version !== null && !names.has(budget),
  );
  return [
    ...changed.map(({ name, version, definition }) => ({ budget: name, version, definition })),
    ...removed.map(({ budget }) => ({ budget, version: null, definition: null })),
  ].map((each) => definedEvent({ revision: 1, ...each }, said, nowMs));
}

function definedEvent(
  data: LedgerEvent<'pi.budget.defined.v1'>['data'],
  said: ReadonlyMap<string, SaidDefinition>,
  nowMs: number,
): LedgerEvent {
  const { budget, version } = data;
  const revision = (said.get(budget)?.revision ?? 0) + 1;
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const type = 'pi.budget.defined.v1';
  const id = makeEventId(type, [budget, version, revision], day, Date.parse(day) + dayMs);
  return { ...envelope(budget, nowMs), id, type, data: { ...data, revision } };
}

interface CrossingFacts {
  /** That it passes the limit. */
  readonly forecast?: BudgetForecast | null | undefined;
  /** When spend was withdrawn. */
  readonly withdrawnAt?: readonly string[];
}

/** None when the state is the one that was said last. */
export function crossingEvents(
  { budget, period, used, state, isAtLeast }: Measured,
  said: readonly SaidCrossing[],
  nowMs: number,
  { forecast = null, withdrawnAt = [] }: CrossingFacts = {},
): LedgerEvent[] {
  if (period === null || used === null || state === null) return [];
  const known = crossingsIn(said, budget, period);
  const next = nextCrossing(known, state, forecast !== null, withdrawnAt);
  if (next === null) return [];
  const { name, version, definition } = budget;
  const { limit, unit } = definition;
  // A window that was known before keeps its period, whatever its provider says of its end now.
  const { start, end } = known.at(-1)?.period ?? period;
  const type = 'pi.budget.crossed.v1';
  const id = makeEventId(type, [name, version, next.number], start, Date.parse(end));
  const { project, user, model, provider, label, per, warnAt, isHard, timeZone } = definition;
  const scope = { project, user, model, provider, label };
  const amounts = { used: amountText(used, unit), limit, unit, warnAt, isAtLeast };
  const { number, from, to, isFirst } = next;
  return [
    {
      ...envelope(name, nowMs),
      id,
      type,
      data: {
        ...{ budget: name, version, ...scope, per, period: { start, end }, number, from, to },
        ...{ ...amounts, isFirst, isHard, timeZone },
        ...(forecast === null || to !== 'forecast' ? {} : { forecast }),
      },
    },
  ];
}

function envelope(budget: string, nowMs: number) {
  const time = new Date(nowMs).toISOString();
  return {
    specversion: '1.0' as const,
    source: '/collector',
    time,
    subject: budgetSubject(budget),
  };
}

function budgetSubject(budget: string): string {
  return `/budgets/${budget}`;
}

function makeEventId(
  type: LedgerEvent['type'],
  about: readonly unknown[],
  timestamp: string,
  timeMs: number,
): string {
  return entryEventId(type, { id: JSON.stringify(about), timestamp, timeMs }, plainIdentity);
}
