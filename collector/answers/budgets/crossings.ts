/** `GET /v1/budgets/crossings`: when budgets came into another state, newest first. */
import type { BudgetCrossingRow } from '@pi-ledger/contract/answers';
import { budgets, type SaidCrossing } from '../../projections/budgets.ts';
import type { Condition, ViewsReader } from '../../views/views.ts';
import { areCrossings, crossingIn } from './said.ts';

export interface CrossingsQuestion {
  readonly budget?: readonly string[];
  readonly project?: readonly string[];
  readonly user?: readonly string[];
  /** An instant, ISO 8601. */
  readonly since?: string;
  readonly limit: number;
  readonly after?: { readonly value: string; readonly key: string };
}

export interface PlacedCrossing {
  readonly row: BudgetCrossingRow;
  readonly at: string;
  readonly key: string;
}

/** `views`: as the caller may see them. */
export async function listCrossings(
  views: ViewsReader,
  { since, limit, after, ...named }: CrossingsQuestion,
): Promise<readonly PlacedCrossing[]> {
  const where: Condition[] = [
    ...areCrossings,
    ...(['budget', 'project', 'user'] as const).flatMap((column) => {
      const values = named[column];
      return values === undefined ? [] : [{ column, is: 'in' as const, values }];
    }),
    ...(since === undefined ? [] : [{ column: 'at', is: 'from' as const, values: [since] }]),
  ];
  const found = await views.find(budgets, {
    where,
    orderBy: { column: 'at', descending: true },
    limit,
    ...(after === undefined ? {} : { after }),
  });
  return found.flatMap(({ key, body }) =>
    crossingIn(budgets.decode(body)).map((said) => ({ row: rowOf(said), at: said.at, key })),
  );
}

function rowOf(said: SaidCrossing): BudgetCrossingRow {
  const { budget, version, project, user, model, provider, label, per, period } = said;
  const { number, at, from, to, forecast = null, used, isAtLeast, isFirst, limit, unit } = said;
  return {
    ...{ budget, version, project, user, model, provider, label, per, period },
    ...{ number, at, from, to, forecast, used, isAtLeast, isFirst, limit, unit },
  };
}
