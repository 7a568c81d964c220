import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { EntryId, Name, Nullable, OptionalText } from '../../fields.ts';

/**
 * One end of the tie between a tool result and a subagent's session; the subject is the parent. A
 * tool result names a subagent (`entryId`), a subagent tells what it may be called
 * (`childSessionId`). Where both ends have the same `ref`, what the tool result says was spent is
 * what that subagent recorded, and only the excess counts. Of tool results about the same run, the
 * one that says most counts.
 */
export const subagentLinked = defineEventType({
  type: 'pi.subagent.linked.v1',
  basis: 'entry',
  data: Type.Object({
    /** The tool result; null where the subagent's side says it. */
    entryId: Nullable(EntryId),
    /** The subagent's session; null where the tool result says it. */
    childSessionId: Nullable(Name),
    /**
     * `session:<id>`; `file:<end of the session file's path>`; or `turn:<id of the parent's
     * assistant entry>`, of a subagent that began while that turn's tools ran. A tool result that
     * says what was spent also has `run:<digest>`, equal for the same run of the same subagent, or
     * `same:<digest>`, equal for the same subagent, where no run is told.
     */
    ref: Name,
    /** As the tool result calls the subagent. */
    agentName: OptionalText,
  }),
  example: {
    entryId: 'c1531ba3',
    childSessionId: null,
    ref: 'session:01a1fff6-564e-748f-bc46-af2dff1725e9',
    agentName: 'scout',
  },
});
