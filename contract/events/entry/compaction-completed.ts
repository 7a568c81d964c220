import { Type } from 'typebox';
import { Content, exampleContent } from '../../content.ts';
import { defineEventType } from '../../event-type.ts';
import { Count, EntryId, entryFields, Nullable, OptionalText, Paths } from '../../fields.ts';
import { exampleSizes, exampleSpend, Spend } from '../../spend.ts';

/** A `compaction` entry. The summary's length is in `sizes.textChars`. */
export const compactionCompleted = defineEventType({
  type: 'pi.compaction.completed.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /**
     * Characters of the system message that pi >= 0.87 repeats in the entry, prompt and sections;
     * part of `sizes.otherChars`. Absent if there is none.
     */
    systemChars: Type.Optional(Count),
    /** Characters of that message's tool definitions, also part of `sizes.otherChars`. */
    toolDefinitionChars: Type.Optional(Count),
    tokensBefore: Nullable(Count),
    /** The host's own estimate (omp). */
    tokensAfterEstimated: Nullable(Count),
    firstKeptEntryId: Nullable(EntryId),
    /** omp: `soft`, ... */
    method: OptionalText,
    /** An extension supplied the summary. */
    fromExtension: Type.Boolean(),
    filesRead: Paths,
    filesModified: Paths,
    /** The summary call, if the host records it (pi 1.x). Null: not reported. */
    spend: Nullable(Spend),
    /** The summary, if `auditContent` is set on the recording machine. Absent: not sent. */
    summaryText: Type.Optional(Content),
  }),
  example: {
    entryId: 'a70dd6a6',
    parentEntryId: '5e46e792',
    promptEntryId: 'c15232cc',
    sizes: exampleSizes,
    tokensBefore: 9600,
    tokensAfterEstimated: null,
    firstKeptEntryId: '5e46e792',
    method: null,
    fromExtension: false,
    filesRead: ['notes.txt'],
    filesModified: ['out.txt'],
    spend: exampleSpend,
    summaryText: exampleContent,
  },
});
