import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { entryFields, OptionalText } from '../../fields.ts';

/** A `model_change` or `thinking_level_change` entry: the new values from here on. */
export const modelChanged = defineEventType({
  type: 'pi.model.changed.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    changed: Type.Union([Type.Literal('model'), Type.Literal('thinkingLevel')]),
    provider: OptionalText,
    model: OptionalText,
    thinkingLevel: OptionalText,
    /** The model's role (omp: `default`, `smol`, ...). */
    role: OptionalText,
  }),
  example: {
    entryId: '75a03842',
    parentEntryId: null,
    promptEntryId: null,
    sizes: { textChars: 0, thinkingChars: 0, toolCallChars: 0, otherChars: 0, images: 0 },
    changed: 'model',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    thinkingLevel: null,
    role: null,
  },
});
