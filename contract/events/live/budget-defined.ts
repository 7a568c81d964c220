import { Type } from 'typebox';
import {
  BudgetDefinition,
  BudgetVersion,
  budgetExample,
  budgetVersionExample,
} from '../../budget.ts';
import { defineEventType } from '../../event-type.ts';
import { Count, Name, Nullable } from '../../fields.ts';

/**
 * A budget of `config.json` is there, is another one than before, or is gone. Only a collector
 * writes it; from a producer it is rejected. The subject is `/budgets/<name>`.
 */
export const budgetDefined = defineEventType({
  type: 'pi.budget.defined.v1',
  basis: 'live',
  data: Type.Object({
    /** Its name. */
    budget: Name,
    /** The definitions of a budget are counted from 1; the highest is in force. */
    revision: Count,
    /** Version and definition are null where the budget was removed. */
    version: Nullable(BudgetVersion),
    definition: Nullable(BudgetDefinition),
  }),
  example: {
    budget: 'shop',
    revision: 1,
    version: budgetVersionExample,
    definition: budgetExample,
  },
});
