/** What notes make of spend is found once for all spend that the same notes are for. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Labels } from '../../../../collector/projections/session/labels.ts';
import { concerned } from '../../../../collector/projections/session/notes/concerned.ts';
import { headAt } from '../../../../collector/projections/session/notes/head-at.ts';
import { labelsAtSpot } from '../../../../collector/projections/session/notes/labels-at.ts';
import { createNoted } from '../../../../collector/projections/session/notes/noted.ts';
import {
  type AgentNote,
  type HeadNote,
  type LateNote,
  type Notes,
  noNotes,
} from '../../../../collector/projections/session/notes/notes.ts';

const base: Labels = {
  ...{ project: 'shop', branch: 'main', user: '', machine: '', host: '', billing: '' },
  ...{ agentKind: '', agent: '', labels: '', head: '', utcOffsetMinutes: 0, isIgnored: false },
};
const spotAt = (minute: number) => ({
  ...{ provider: 'anthropic', model: minute % 2 === 0 ? 'opus' : 'tiny' },
  ...{ minute, lastMinute: minute + 2 },
});

const minute = fc.integer({ min: 0, max: 20 });
const labels = fc.dictionary(fc.constantFrom('a', 'b', '7'), fc.constantFrom('x', 'y', null));
const agentNote = fc.record({ minute, data: fc.record({ labels, whole: fc.boolean() }) });
const everything = { branch: null, user: null, machine: null, host: null, provider: null };
const lateNote = fc.record({
  minute,
  data: fc.record({
    labels,
    records: fc.record({
      ...{ since: fc.constant(null), until: fc.constantFrom(null, '1970-01-01T00:10:00.000Z') },
      ...{ project: fc.constantFrom(null, 'shop', 'lab'), model: fc.constantFrom(null, 'opus') },
      ...Object.fromEntries(Object.keys(everything).map((name) => [name, fc.constant(null)])),
    }),
  }),
});
const headNote = fc.record({
  minute,
  data: fc.record({
    project: fc.record({ branch: fc.constantFrom('main', 'fix', null) }),
    ...{ commit: fc.constantFrom('1', '2', null), afterTurn: fc.boolean() },
  }),
});

const sorted = <Note extends { minute: number }>(note: fc.Arbitrary<Note>) =>
  fc.array(note, { maxLength: 6 }).map((all) => all.toSorted((a, b) => a.minute - b.minute));
const notes: fc.Arbitrary<Notes> = fc.record({
  agent: sorted(agentNote) as unknown as fc.Arbitrary<readonly AgentNote[]>,
  late: sorted(lateNote) as unknown as fc.Arbitrary<readonly LateNote[]>,
  heads: sorted(headNote) as unknown as fc.Arbitrary<readonly HeadNote[]>,
});
const minutes = Array.from({ length: 24 }, (_, index) => index);

it('is what all notes say', () => {
  fc.assert(
    fc.property(notes, (all) => {
      const noted = createNoted(all);
      const here = all.heads.filter(({ data }) => data.project.branch === base.branch);
      for (const each of minutes) {
        expect(noted.labelsAt(base, spotAt(each))).toBe(labelsAtSpot(all, base, spotAt(each)));
        expect(noted.headAt(base.branch, each)).toBe(headAt(here, each));
      }
    }),
  );
});

it('stays where a change does not concern it', () => {
  fc.assert(
    fc.property(notes, fc.nat(), fc.nat(), (all, first, second) => {
      const without = (list: readonly unknown[], at: number) => list.toSpliced(at % 7, 1);
      const before = {
        ...all,
        agent: without(all.agent, first) as readonly AgentNote[],
        late: without(all.late, second) as readonly LateNote[],
      };
      const isConcerned = concerned(before, all);
      for (const spot of minutes.map(spotAt).filter((each) => !isConcerned(base, each)))
        expect(labelsAtSpot(all, base, spot)).toBe(labelsAtSpot(before, base, spot));
    }),
  );
});

it('looks at a thousand notes for a thousand minutes as often as their answers differ', () => {
  let looks = 0;
  const agent = Array.from({ length: 1_000 }, (_, index): AgentNote => {
    const data = { labels: { [`key-${index}`]: 'x' }, whole: index !== 500 };
    return {
      ...{ time: '', minute: index, text: '' },
      get data() {
        looks += 1;
        return data;
      },
    };
  });
  const noted = createNoted({ ...noNotes, agent });
  const texts = new Set(agent.map((_, index) => noted.labelsAt(base, spotAt(index))));
  expect(texts.size).toBe(2);
  expect(looks).toBeLessThan(10 * agent.length);
});

it('concerns later spend alone if it was said for its own time', () => {
  const note = (data: AgentNote['data']): AgentNote => ({ time: '', minute: 9, text: '', data });
  const own = note({ labels: { a: 'x' }, whole: false });
  const whole = note({ labels: { a: 'x' }, whole: true });
  const concerns = (agent: AgentNote) =>
    minutes.filter((each) =>
      concerned(noNotes, { ...noNotes, agent: [agent] })(base, spotAt(each)),
    );
  expect(concerns(own)).toEqual(minutes.filter((each) => each + 2 >= 9));
  expect(concerns(whole)).toEqual(minutes);
});
