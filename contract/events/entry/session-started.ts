import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Nullable, OptionalText } from '../../fields.ts';

/** What the header of a session file says. `time` is the header's timestamp. */
export const sessionStarted = defineEventType({
  type: 'pi.session.started.v1',
  basis: 'entry',
  data: Type.Object({
    /** Version of the session file format (3 in every known host). */
    formatVersion: Nullable(Type.Integer()),
    /** Working directory, from the header. */
    cwd: OptionalText,
    /** From the parent file's name (fork, clone, subagent); null for a session without a parent. */
    parentSessionId: OptionalText,
  }),
  example: { formatVersion: 3, cwd: '/home/ada/work/shop', parentSessionId: null },
});
