import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { entryFields, Name, OptionalText } from '../../fields.ts';
import { exampleSizes, exampleSpend, Spend } from '../../spend.ts';

/**
 * Spend outside answers, tools, compactions and branch summaries: an entry with `usage` of its own.
 * And what a tool says in its result's details that it spent.
 */
export const usageRecorded = defineEventType({
  type: 'pi.usage.recorded.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /**
     * `cache_warm`, `side_call` (omp), `tool` for what a result's details say, `custom` for what an
     * extension says in its own entry (a lower bound), or the name of an unknown entry type: new
     * kinds of spend are never dropped.
     */
    kind: Name,
    /** omp's purpose of the side call; the tool's name; the name of an extension's entry. */
    purpose: OptionalText,
    spend: Spend,
  }),
  example: {
    entryId: '088f6c88',
    parentEntryId: '6ad60cbb',
    promptEntryId: null,
    sizes: exampleSizes,
    kind: 'side_call',
    purpose: 'auto-thinking',
    spend: exampleSpend,
  },
});
