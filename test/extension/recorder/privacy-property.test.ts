/**
 * Whatever is paused, resumed, moved, forked and killed: live events, an import of the files and
 * reconcile's own reading know the same answers, and none of a private stretch.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntryReader } from '../../../collector/reconcile/files/file-entries.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import { recorded } from '../../collector/importers/support/recorded.ts';
import type { FakeSession } from '../support/fake-session.ts';
import { type PrivateHost, privateHost } from './support/private-host.ts';

const answersIn = (drafts: readonly EventDraft[]) =>
  new Set(
    drafts.flatMap(({ type, data }) =>
      type === 'pi.turn.completed.v1' ? [(data as { entryId: string }).entryId] : [],
    ),
  );

function reconciled(sessions: readonly FakeSession[]): ReadonlySet<string> {
  const units = sessions.flatMap(({ id, entries }) => {
    const reader = createEntryReader(id);
    return entries.flatMap((entry) => reader.read(entry) ?? []);
  });
  return new Set(units.filter(({ isPrivate }) => !isPrivate).map(({ unit }) => unit.entryId));
}

const step = fc.oneof(
  fc.constant((host: PrivateHost) => host.talk()),
  fc.constant((host: PrivateHost) => void host.turn('paused')),
  fc.constant((host: PrivateHost) => void host.turn('resumed')),
  fc.nat(30).map((choice) => (host: PrivateHost) => host.move(choice)),
  fc
    .constantFrom('compaction' as const, 'branch_summary' as const)
    .map((type) => (host: PrivateHost) => host.summarize(type)),
  fc.constant((host: PrivateHost) => host.fork()),
  fc.boolean().map((isKill) => (host: PrivateHost) => host.restart(isKill)),
);

test('live, imported and reconciled agree, and nothing private is in any event', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const host = privateHost();
      for (const run of steps) run(host);
      host.restart(false);
      const live = host.events();
      const imports = host.sessions.flatMap((session) => recorded(session).drafts);
      expect(answersIn(live)).toEqual(host.open);
      expect(answersIn(imports)).toEqual(host.open);
      expect(reconciled(host.sessions)).toEqual(host.open);
      expect(JSON.stringify([live, imports])).not.toContain('secret');
      const told = JSON.stringify([live, imports]);
      expect([...host.hidden].filter((id) => told.includes(`"${id}"`))).toEqual([]);
      const ids = new Set(imports.map(({ id }) => id));
      const entries = live.filter(
        ({ id, type }) => id[14] === '8' && type !== 'pi.session.started.v1',
      );
      expect(entries.filter(({ id }) => !ids.has(id))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
