import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Name, Nullable, OptionalText } from '../../fields.ts';

/**
 * Whose session it is: applied when views are folded, and recorded again whenever it changes. Usage
 * at time t takes the newest attribution that is not younger than t, or the oldest one if all are
 * younger. An importer's attribution counts only while no live one is known, and an inferred one
 * only while there is neither.
 */
export const sessionAttributed = defineEventType({
  type: 'pi.session.attributed.v1',
  basis: 'live',
  data: Type.Object({
    /**
     * `inferred`: the session's own file was missing; the header of a file with copies of its
     * entries is the source.
     */
    basis: Type.Union([Type.Literal('live'), Type.Literal('import'), Type.Literal('inferred')]),
    project: Type.Object({
      /**
       * Name of the repository's root directory (of the main worktree); without git the directory,
       * relative to home if below it.
       */
      name: Name,
      /** Remote `origin` without credentials. */
      remote: OptionalText,
      branch: OptionalText,
      /** Name of the linked worktree; null in the main one. */
      worktree: OptionalText,
    }),
    cwd: Type.String({ maxLength: 4096 }),
    user: Name,
    machine: Name,
    /** Minutes east of UTC, e.g. 120 in Berlin in summer. */
    utcOffsetMinutes: Type.Integer({ minimum: -24 * 60, maximum: 24 * 60 }),
    /**
     * By provider: `subscription` if the host uses OAuth (amounts are list-price equivalents, not a
     * bill), else `metered`.
     */
    billing: Type.Record(
      Type.String({ maxLength: 500 }),
      Type.Union([Type.Literal('metered'), Type.Literal('subscription')]),
    ),
    host: Type.Object({
      /** `pi`, `omp`, or another agent whose sessions are imported. */
      name: Name,
      version: OptionalText,
    }),
    mode: Type.Union([
      Type.Literal('tui'),
      Type.Literal('print'),
      Type.Literal('json'),
      Type.Literal('rpc'),
      Type.Literal('unknown'),
    ]),
    agent: Type.Object({
      kind: Type.Union([Type.Literal('main'), Type.Literal('subagent')]),
      name: OptionalText,
    }),
    parentSessionId: OptionalText,
    previousSessionId: OptionalText,
    /** Version of the recording extension or importer. */
    producerVersion: Nullable(Type.String({ maxLength: 100 })),
  }),
  example: {
    basis: 'live',
    project: {
      name: 'shop',
      remote: 'https://git.example.org/ada/shop.git',
      branch: 'main',
      worktree: null,
    },
    cwd: '/home/ada/work/shop',
    user: 'ada',
    machine: 'workbench',
    utcOffsetMinutes: 60,
    billing: { anthropic: 'subscription' },
    host: { name: 'pi', version: '0.87.1' },
    mode: 'tui',
    agent: { kind: 'main', name: null },
    parentSessionId: null,
    previousSessionId: null,
    producerVersion: '0.1.0',
  },
});
