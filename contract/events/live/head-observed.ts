import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Name, Nullable, OptionalText } from '../../fields.ts';

/**
 * Which commit is checked out where the session works. Recorded at the session's start and when
 * branch or commit changed since the session's last one. Spend counts to the next commit that is
 * seen on the branch.
 */
export const headObserved = defineEventType({
  type: 'pi.head.observed.v1',
  basis: 'live',
  data: Type.Object({
    /** As in `pi.session.attributed.v1`. */
    project: Type.Object({ name: Name, remote: OptionalText, branch: OptionalText }),
    cwd: Type.String({ maxLength: 4096 }),
    machine: Name,
    /** It is null where the branch has no commit yet. What cannot be read is not recorded. */
    commit: Nullable(Type.String({ pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$' })),
    /** It changed during the turn that has just ended, not before. */
    afterTurn: Type.Boolean(),
  }),
  example: {
    project: { name: 'shop', remote: 'https://git.example.org/ada/shop.git', branch: 'main' },
    cwd: '/home/ada/work/shop',
    machine: 'workbench',
    commit: '6f2d0283c1d3b0a0c5a7f7f5a3a9d1d52d9757b0',
    afterTurn: true,
  },
});
