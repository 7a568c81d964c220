/** What the log says of budgets: the definitions in force and the crossings. */
import type { BudgetPeriod } from '@pi-ledger/contract';
import {
  type BudgetDocument,
  budgets,
  type SaidCrossing,
  type SaidDefinition,
} from '../../projections/budgets.ts';
import type { Condition, ViewsReader } from '../../views/views.ts';
import { type NamedBudget, nameBudget, windowMsOfPer } from './definition.ts';

const budgetsMax = 1_000;
const crossingsMax = 10_000;

/** The last definition of each budget, removed ones too, by name. */
export async function saidDefinitions(
  views: ViewsReader,
): Promise<ReadonlyMap<string, SaidDefinition>> {
  const found = await views.find(budgets, {
    where: [{ column: 'is', is: 'in', values: ['definitions'] }],
    orderBy: { column: 'at', descending: true },
    limit: budgetsMax,
  });
  const last = found.flatMap(({ body }) => budgets.decode(body).definitions.at(-1) ?? []);
  return new Map(last.map((said) => [said.budget, said]));
}

export function inForce(said: Iterable<SaidDefinition>): NamedBudget[] {
  return [...said].flatMap(({ budget, definition }) =>
    definition === null ? [] : [nameBudget(budget, definition)],
  );
}

const reachMs = 3 * 86_400_000;

/** Finds the crossings of these versions, by number. Periods that ended long ago are left out. */
export async function saidCrossings(
  views: ViewsReader,
  versions: readonly string[],
  nowMs: number,
): Promise<readonly SaidCrossing[]> {
  if (versions.length === 0) return [];
  const endsAfter = new Date(nowMs - reachMs).toISOString();
  const found = await views.find(budgets, {
    where: [
      ...areCrossings,
      { column: 'version', is: 'in', values: [...new Set(versions)] },
      { column: 'periodEnd', is: 'from', values: [endsAfter] },
    ],
    orderBy: { column: 'at', descending: true },
    limit: crossingsMax,
  });
  return found
    .flatMap(({ body }) => crossingIn(budgets.decode(body)))
    .toSorted((left, right) => left.number - right.number);
}

export const areCrossings: readonly Condition[] = [
  { column: 'is', is: 'in', values: ['crossing'] },
];

export function crossingIn({ crossing }: BudgetDocument): SaidCrossing[] {
  return crossing === null ? [] : [crossing];
}

/** Picks the budget's crossings in this period; windows ending at nearly the same time are one. */
export function crossingsIn(
  said: readonly SaidCrossing[],
  { name, version, definition }: NamedBudget,
  period: BudgetPeriod | null,
): readonly SaidCrossing[] {
  if (period === null) return [];
  const apartMs = (windowMsOfPer[definition.per] ?? 0) / closePart;
  return said.filter(
    (each) =>
      each.budget === name &&
      each.version === version &&
      Math.abs(Date.parse(each.period.end) - Date.parse(period.end)) <= apartMs,
  );
}

const closePart = 10;
