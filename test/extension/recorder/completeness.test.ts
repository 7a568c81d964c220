/**
 * Whatever hosts do with their sessions, and whenever they are killed: in the end every entry of
 * every session is recorded, with the ids that an importer would give, and nothing else.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../contract/index.ts';
import { readEntry, readHeader } from '../../../core/record/entry.ts';
import { recordSessionStarted } from '../../../core/record/session.ts';
import type { FakeSession } from '../support/fake-session.ts';
import type { LedgerMachine, Process } from '../support/ledger-machine.ts';
import { problemsOf } from '../support/schemas.ts';
import { eventsOf } from '../support/sessions.ts';
import { createWorld, type Step, step } from './support/history.ts';

const entryTypes = new Set<string>(
  eventTypes.filter(({ basis }) => basis === 'entry').map(({ type }) => type),
);

function recordedIds({ events }: LedgerMachine): ReadonlyMap<string, string> {
  const entryEvents = events().filter(({ type }) => entryTypes.has(type));
  return new Map(entryEvents.map(({ id, type, data }) => [id, `${type} ${JSON.stringify(data)}`]));
}

function expectedIds(sessions: readonly FakeSession[]): ReadonlyMap<string, string> {
  const expected = new Map<string, string>();
  for (const session of sessions) {
    const header = readHeader(session.header);
    if (header === null) throw new Error('no header');
    const entries = session.entries.map(readEntry).filter((entry) => entry !== null);
    for (const draft of [recordSessionStarted(header), ...eventsOf(header, entries)])
      expected.set(draft.id, `${draft.type} ${JSON.stringify(draft.data)}`);
  }
  return expected;
}

function runSteps(steps: readonly Step[]): {
  machine: LedgerMachine;
  sessions: readonly FakeSession[];
  process: Process;
} {
  const world = createWorld();
  for (const next of steps) world.take(next);
  world.finish();
  return { machine: world.machine, sessions: world.sessions, process: world.process() };
}

describe('the recorder over a history of prompts, branches, forks, kills and full disks', () => {
  it('records exactly what the session files say', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { machine, sessions } = runSteps(steps);
        const recorded = recordedIds(machine);
        const expected = expectedIds(sessions);
        expect(
          [...expected.keys()].filter((id) => !recorded.has(id)).map((id) => expected.get(id)),
        ).toEqual([]);
        expect(
          [...recorded.keys()].filter((id) => !expected.has(id)).map((id) => recorded.get(id)),
        ).toEqual([]);
        expect(recorded).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('says whose session it is before the session has spent anything', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { machine } = runSteps(steps);
        const attributed = new Set<string>();
        for (const { type, subject, data } of machine.events()) {
          if (type === 'pi.session.attributed.v1') attributed.add(subject);
          if ('spend' in data) expect(attributed.has(subject)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('creates only events that the collector accepts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        expect(runSteps(steps).machine.events().flatMap(problemsOf)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('records nothing twice while a process lives and the spool takes everything', () => {
    const calm = step.filter(
      ({ do: what }) => !['kill', 'quit', 'unseen', 'full', 'stuck', 'clock'].includes(what),
    );
    fc.assert(
      fc.property(fc.array(calm, { maxLength: 60 }), (steps) => {
        const world = createWorld();
        for (const next of steps) world.take(next);
        const ids = world.machine.events().map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 200 },
    );
  });
});
