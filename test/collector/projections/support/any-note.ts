/** Any labels and observed commits of two sessions, for property tests of the fold. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { event } from './given.ts';

/** Times of spend, and days and minutes around them. */
const around = ['2026-11-21', '2026-11-22', '2026-11-21T23:50Z', '2026-11-22T00:10Z'];
const labels = fc.dictionary(fc.constantFrom('ticket', 'team'), fc.constantFrom('a', 'b', null), {
  minKeys: 1,
});
const maybe = (...values: string[]) => fc.constantFrom(null, null, ...values);

export function anyNote(
  time: fc.Arbitrary<string>,
  session: fc.Arbitrary<string>,
): fc.Arbitrary<LedgerEvent> {
  const said = fc
    .record({ labels, whole: fc.boolean() })
    .map((data) => ['pi.session.labelled.v1', data] as const);
  const late = fc
    .record({
      labels,
      records: fc.record({
        since: maybe(...around),
        until: maybe(...around),
        project: maybe('shop', 'side'),
        branch: maybe('main'),
        user: maybe('ada'),
        machine: maybe("ada's"),
        host: maybe('pi'),
        provider: maybe('anthropic'),
        model: maybe('large'),
      }),
    })
    .map((data) => ['pi.records.labelled.v1', data] as const);
  const head = fc
    .record({
      branch: fc.constantFrom('main', 'main', null),
      commit: fc.constantFrom('a'.repeat(40), 'b'.repeat(40), null),
      afterTurn: fc.boolean(),
    })
    .map(({ branch, ...rest }) => {
      const project = { name: 'shop', remote: null, branch };
      const data = { project, cwd: '/', machine: 'workbench', ...rest };
      return ['pi.head.observed.v1', data] as const;
    });
  return fc
    .tuple(time, session, fc.oneof(said, late, head))
    .map(([at, name, [type, data]]) => event(type, { at, session: name }, data));
}
