import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, entryFields, Name } from '../../fields.ts';

/**
 * Any other message that fills the context: system and developer messages, the user's shell
 * commands, extensions' messages.
 */
export const messageAppended = defineEventType({
  type: 'pi.message.appended.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /**
     * The message's role (`system`, `developer`, `bashExecution`, ...) or the entry's type
     * (`custom_message`).
     */
    role: Name,
    /**
     * Characters of the tool definitions that a system message adds (pi >= 0.87), part of
     * `sizes.otherChars`. Absent if it adds and removes none.
     */
    toolDefinitionChars: Type.Optional(Count),
    /** How many tools it adds and removes. */
    toolsAdded: Type.Optional(Count),
    toolsRemoved: Type.Optional(Count),
  }),
  example: {
    entryId: '2a7ae4a8',
    parentEntryId: 'bd1d7076',
    promptEntryId: null,
    sizes: { textChars: 120, thinkingChars: 0, toolCallChars: 0, otherChars: 9_800, images: 0 },
    role: 'system',
    toolDefinitionChars: 9_700,
    toolsAdded: 4,
    toolsRemoved: 0,
  },
});
