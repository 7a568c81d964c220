/** Subagents and forks that begin in a private stretch stay unknown until they are resumed. */
import { expect, test } from 'vitest';
import { createHeldStart } from '../../../../collector/importers/session/held-start.ts';
import {
  answer,
  append,
  type FakeSession,
  newSession,
} from '../../../extension/support/fake-session.ts';
import { draft, free } from '../support/drafts.ts';
import { at, entriesOf, recorderOf, startMs } from '../support/recorded.ts';

const mark = (state: string) => ({
  type: 'custom',
  customType: 'pi-ledger.recording',
  data: { state },
});

function privateChild(): FakeSession {
  const session = newSession('s', startMs);
  append(session, 'c1', at(1), { type: 'model_change', provider: 'p', modelId: 'm' });
  append(session, 'm1', at(2), mark('paused'));
  append(session, 'a1', at(3), answer('secret'));
  return session;
}

/** Types of what is told of a file that is read in two parts. */
function told(session: FakeSession, cut: number): string[] {
  const entries = entriesOf(session);
  const first = recorderOf(session);
  const before = createHeldStart('s', first.begin());
  const types: string[] = [];
  const read = (recorder: typeof first, start: typeof before, part: typeof entries) => {
    for (const entry of part) {
      const taken = recorder.take(entry);
      if (taken.kind === 'drafts')
        types.push(...start.take(entry, taken.drafts).map(({ type }) => type));
    }
    types.push(...start.end(recorder.end(), recorder.privacy !== 'none').map(({ type }) => type));
  };
  read(first, before, entries.slice(0, cut));
  const second = recorderOf(session, { standing: first.standing });
  read(second, createHeldStart('s', before.standing.held ?? null), entries.slice(cut));
  return types;
}

test('a session with nothing but what is private is not told of', () => {
  for (const cut of [2, 3]) expect(told(privateChild(), cut)).toEqual([]);
});

test('once it is resumed and goes on, its start and its marks are told', () => {
  const session = privateChild();
  append(session, 'm2', at(4), mark('resumed'));
  append(session, 'a2', at(5), answer('open'));
  for (const cut of [2, 3, 4])
    expect(told(session, cut)).toEqual([
      'pi.session.started.v1',
      'pi.session.attributed.v1',
      'pi.model.changed.v1',
      'pi.recording.switched.v1',
      'pi.recording.switched.v1',
      'pi.turn.completed.v1',
    ]);
});

test('a session without any entry is told of', () => {
  expect(told(newSession('s', startMs), 0)).toEqual([
    'pi.session.started.v1',
    'pi.session.attributed.v1',
  ]);
});

test('an entry of another session tells of no start, and is not held', () => {
  const [known] = entriesOf(privateChild()).slice(-1);
  if (known === undefined) throw new Error('no entry');
  const [own, other] = ['s', 'owner'].map((subject) =>
    draft('pi.turn.completed.v1', {}, { subject }),
  );
  if (own === undefined || other === undefined) throw new Error('no draft');
  const start = createHeldStart('s', [free]);
  expect(start.take(known, [other])).toEqual([other]);
  expect(start.take(known, [])).toEqual([]);
  expect(start.standing).toEqual({ held: [free] });
  expect(start.take(known, [other, own])).toEqual([free, other, own]);
  expect(start.standing).toEqual({});
});
