import { Type } from 'typebox';
import { Content, exampleContent } from '../../content.ts';
import { defineEventType } from '../../event-type.ts';
import { EntryId, entryFields, Nullable, Paths } from '../../fields.ts';
import { exampleSizes, Spend } from '../../spend.ts';

/**
 * A `branch_summary` entry: the user left a branch of the session tree and took its summary along.
 */
export const branchSummarized = defineEventType({
  type: 'pi.branch.summarized.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    fromEntryId: Nullable(EntryId),
    fromExtension: Type.Boolean(),
    filesRead: Paths,
    filesModified: Paths,
    spend: Nullable(Spend),
    /** As in `pi.compaction.completed.v1`. */
    summaryText: Type.Optional(Content),
  }),
  example: {
    entryId: '22e94b7f',
    parentEntryId: '7e012c03',
    promptEntryId: 'c15232cc',
    sizes: exampleSizes,
    fromEntryId: '44cae668',
    fromExtension: false,
    filesRead: ['notes.txt'],
    filesModified: [],
    spend: null,
    summaryText: exampleContent,
  },
});
