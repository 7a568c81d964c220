import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { entryFields, OptionalText } from '../../fields.ts';

/** A user message entered the conversation. Its size is sent, its text is not. */
export const promptSubmitted = defineEventType({
  type: 'pi.prompt.submitted.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /** Who wrote it, if the host says so (omp: `user`, `agent`). */
    attribution: OptionalText,
  }),
  example: {
    entryId: 'c15232cc',
    parentEntryId: '8f323bcf',
    promptEntryId: null,
    sizes: { textChars: 15, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 1 },
    attribution: null,
  },
});
