import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { EntryId, entryFields, Nullable } from '../../fields.ts';
import { exampleSizes } from '../../spend.ts';

/**
 * A `context_edit` entry (pi >= 0.87): from here on, the host omits another entry from the context,
 * or sends other content in its place. It does so for attempts that it repeats. The sizes are those
 * of the replacement.
 *
 * Or a `reset_boundary` entry (omp): the user cleared the context, and from here on nothing above
 * it is sent.
 */
export const contextEdited = defineEventType({
  type: 'pi.context.edited.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /** It is null where everything above this entry is omitted. */
    targetEntryId: Nullable(EntryId),
    /** False: its content was replaced. */
    removed: Type.Boolean(),
  }),
  example: {
    entryId: 'b177ac03',
    parentEntryId: '4cb8e021',
    promptEntryId: 'c15232cc',
    sizes: exampleSizes,
    targetEntryId: '4cb8e021',
    removed: false,
  },
});
