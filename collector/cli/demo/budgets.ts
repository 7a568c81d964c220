/**
 * The demo's budgets, for its `config.json`. Their limits follow from what the made-up month has,
 * so that on any day one of them is near its limit and the others are not.
 */

import {
  amountOf,
  amountText,
  type NamedBudget,
  nameBudget,
} from '../../answers/budgets/definition.ts';
import { measureCalendar } from '../../answers/budgets/measure.ts';
import { createSessions } from '../../projections/sessions.ts';
import { createVerified } from '../../projections/verified.ts';
import type { Ledger } from '../../roles/ledger.ts';

const nobody = { project: null, user: null, model: null, provider: null, label: null };
const usual = { ...nobody, per: 'month', limit: '100', warnAt: 80, isHard: false } as const;

const wishes = [
  { name: 'demo-all', share: 55n, unit: 'metered dollars', project: null },
  { name: 'demo-shop', share: 92n, unit: 'metered dollars', project: 'demo-shop' },
  { name: 'demo-plan', share: 62n, unit: 'list-price dollars', project: null },
] as const;

/** As `config.json` has them. */
export async function demoBudgets(
  { parts, subscription }: Pick<Ledger, 'parts' | 'subscription'>,
  now: Date,
): Promise<readonly object[]> {
  await subscription.catchUp();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const budgets = new Map(
    wishes.map(({ name, unit, project, share }) => [
      nameBudget(name, { ...usual, project, unit, timeZone }),
      share,
    ]),
  );
  const { rules } = parts.config;
  const asked = {
    ...{ views: parts.store.views, sessions: createSessions(rules) },
    verified: createVerified(rules),
  };
  const measured = await measureCalendar(asked, [...budgets.keys()], () => now.getTime());
  return measured.map(({ budget, used }) =>
    written(budget, used ?? 0n, budgets.get(budget) ?? 100n),
  );
}

function written({ name, definition }: NamedBudget, used: bigint, share: bigint): object {
  const { project, per, unit, limit, timeZone } = definition;
  const dollar = amountOf('1', unit) ?? 1n;
  const wanted = (used * 100n) / share;
  const amount = used < dollar ? limit : amountText(roundedUp(wanted / dollar + 1n) * dollar, unit);
  const scope = project === null ? {} : { project };
  return { name, ...scope, per, limit: Number(amount), in: unit, timeZone };
}

/** To two digits. */
function roundedUp(dollars: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, String(dollars).length - 2));
  return ((dollars + step - 1n) / step) * step;
}
