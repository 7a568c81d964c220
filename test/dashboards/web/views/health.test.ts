import type { Producer } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { machinesOf, troublesOf } from '../../../../dashboards/web/views/health/machines.ts';
import { stepsOf } from '../../../../dashboards/web/views/health/steps.ts';

function producer(changes: Partial<Producer>): Producer {
  return {
    source: '/producers/1',
    user: 'ada',
    machine: 'laptop',
    host: 'pi',
    hostVersion: '1.5.2',
    producerVersion: '0.1.0',
    firstSeenAt: '2026-05-01T09:00:00.000Z',
    lastSeenAt: '2026-05-01T09:41:12.000Z',
    lastReceivedAt: '2026-05-01T09:41:12.300Z',
    lagMs: 300,
    events: 10,
    missing: 0,
    gaps: [],
    dropped: { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
    ...changes,
  };
}

describe('the machines', () => {
  it('are processes put together, what came from files apart', () => {
    const machines = machinesOf([
      producer({ user: 'bob', lagMs: 100, missing: 2 }),
      producer({ lagMs: 500, lastSeenAt: '2026-05-02T09:00:00.000Z', hostVersion: '1.6.0' }),
      producer({ source: '/importers/pi', lagMs: 9_999_999, events: 4 }),
    ]);
    expect(machines).toMatchObject([
      {
        isImport: false,
        users: ['ada', 'bob'],
        host: 'pi 1.6.0',
        delayMs: 300,
        processes: 2,
        events: 20,
        missing: 2,
      },
      { isImport: true, delayMs: null, events: 4 },
    ]);
  });

  it('say what they lost and that their clock is ahead, and nothing where nothing is wrong', () => {
    const trouble = (changes: Partial<Producer>) =>
      machinesOf([producer(changes)]).flatMap(troublesOf);
    const dropped = { spoolFull: 1, spoolUnwritable: 2, eventTooLarge: 0, recordFailed: 0 };
    expect(trouble({})).toEqual([]);
    expect(trouble({ missing: 12, dropped })).toEqual(['12 missing', '3 dropped']);
    expect(trouble({ lastSeenAt: '2026-05-01T09:44:12.300Z' })).toEqual(['clock ahead by 3 min']);
  });
});

describe('the way of an event', () => {
  const healthy = { ready: true, role: 'leader' } as const;
  const view = { projection: 'sessions', position: 7, head: 9, setAside: { count: 0, events: [] } };
  const subscriber = {
    name: 'otlp-traces',
    position: 4,
    head: 9,
    failure: null,
    passedOver: 0,
    losses: { rejected: 0, refused: 0, message: null },
  };
  const states = (health: Parameters<typeof stepsOf>[0]) =>
    stepsOf(health).map(({ name, behind, state, words }) => [name, behind, state, words]);

  it('has the log, how far each view and each subscriber is behind it, and what they lack', () => {
    expect(
      states({
        ...healthy,
        views: [
          view,
          { ...view, projection: 'quota', position: 9, setAside: { count: 1, events: [] } },
        ],
        subscribers: [
          subscriber,
          { ...subscriber, name: 'failing', failure: 'refused' },
          {
            ...subscriber,
            name: 'losing',
            losses: { rejected: 3, refused: 0, message: 'too large' },
          },
          { ...subscriber, name: 'new', position: null },
        ],
      }),
    ).toEqual([
      ['log', null, 'good', 'ok'],
      ['view sessions', 2, 'warn', 'catching up'],
      ['view quota', 0, 'bad', '1 set aside: in no figure'],
      ['otlp-traces', 5, 'good', 'ok'],
      ['failing', 5, 'bad', 'refused'],
      ['losing', 5, 'warn', '3 rejected: too large'],
      ['new', null, 'warn', 'not begun'],
    ]);
  });

  it('is not known to those who may not see how much there is', () => {
    expect(stepsOf({ ...healthy, views: [], subscribers: [] })).toEqual([]);
    expect(stepsOf(healthy)).toEqual([]);
  });
});
