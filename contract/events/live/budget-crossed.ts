import { Type } from 'typebox';
import {
  BudgetAmount,
  BudgetCrossingState,
  BudgetForecast,
  BudgetPer,
  BudgetPeriod,
  BudgetUnit,
  BudgetVersion,
  budgetExample,
  budgetPeriodExample,
  budgetScope,
  budgetVersionExample,
} from '../../budget.ts';
import { defineEventType } from '../../event-type.ts';
import { Count, Name } from '../../fields.ts';

/**
 * A budget came into another state, up or down: what is known late may move spend away. Only a
 * collector writes it; from a producer it is rejected. The subject is `/budgets/<name>`.
 *
 * The id follows from budget, version, period and number, and its time is the period's end, so that
 * whoever writes the crossing again writes the same event.
 */
export const budgetCrossed = defineEventType({
  type: 'pi.budget.crossed.v1',
  basis: 'live',
  data: Type.Object({
    /** Its name. */
    budget: Name,
    version: BudgetVersion,
    ...budgetScope,
    per: BudgetPer,
    period: BudgetPeriod,
    /** Crossings in this period under this version are counted from 1. */
    number: Count,
    from: BudgetCrossingState,
    to: BudgetCrossingState,
    /** Only a crossing to `forecast` has it. */
    forecast: Type.Optional(BudgetForecast),
    /** In `unit`. */
    used: BudgetAmount,
    limit: BudgetAmount,
    unit: BudgetUnit,
    /** Percent of the limit. */
    warnAt: Count,
    /** Records are left out of `used`, whose amount or billing is not known. */
    isAtLeast: Type.Boolean(),
    /**
     * The first time in this period that it is in this state: a notice is due. A period begins with
     * `ok`, so that is never the first time.
     */
    isFirst: Type.Boolean(),
    isHard: Type.Boolean(),
    /** IANA name. */
    timeZone: Name,
  }),
  example: {
    budget: 'shop',
    version: budgetVersionExample,
    ...budgetExample,
    period: budgetPeriodExample,
    number: 1,
    from: 'ok',
    to: 'warning',
    used: '161.204417',
    isAtLeast: true,
    isFirst: true,
  },
});
