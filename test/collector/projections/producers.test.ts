import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { producers } from '../../../collector/projections/producers.ts';
import { exampleEvent } from '../support/events.ts';
import { fold } from './support/fold.ts';
import { attributed, event, stored as storedAll } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T11:00:00.000Z';

const none = (): void => undefined;

function foldOne(given: readonly LedgerEvent[], source = '/producers/p1') {
  return fold(producers, given, { isReloaded: true }).states.get(source);
}

describe('producers', () => {
  it('has one document for each process, with what was heard of it', () => {
    const given = [
      exampleEvent({ number: 2, source: '/producers/p1', time: later }),
      exampleEvent({ number: 1, source: '/producers/p1', time: at }),
      exampleEvent({ number: 3, source: '/importers/pi', sequence: 0, time: at }),
    ];
    expect(foldOne(given)).toMatchObject({
      events: 2,
      firstSeenAt: at,
      lastSeenAt: later,
      lastSequence: '0000000002',
      lastReceivedAtMs: 1_795_300_000_001,
    });
    expect(foldOne(given, '/importers/pi')).toMatchObject({ events: 1, lastSequence: null });
  });

  it('knows the last number of a producer that numbers its events in one cell only', () => {
    const [numbered, unnumbered] = [7, 0].map((sequence) =>
      foldOne([exampleEvent({ number: 1, source: '/producers/p1', sequence, time: at })]),
    );
    if (numbered === undefined || unnumbered === undefined) throw new Error('there are two');
    const lastOf = (left: typeof numbered, right: typeof numbered) =>
      producers.joining?.join({ state: left } as never, { state: right } as never).state
        .lastSequence;
    expect(lastOf(numbered, unnumbered)).toBe('0000000007');
    expect(lastOf(unnumbered, numbered)).toBe('0000000007');
    expect(lastOf(unnumbered, unnumbered)).toBeNull();
  });

  it('belongs to whom its newest attribution says', () => {
    const given = [
      attributed(later, { user: 'grace', host: 'omp' }),
      attributed(at, { user: 'ada' }),
    ];
    expect(foldOne(given)).toMatchObject({
      user: 'grace',
      machine: "grace's",
      host: 'omp',
      hostVersion: '1.0.0',
      producerVersion: '0.1.0',
    });
  });

  it('keeps the largest count of each kind of drop, in any order', () => {
    const report = (time: string, spoolFull: number, recordFailed: number) =>
      event(
        'pi.producer.reported.v1',
        { at: time },
        {
          producerVersion: '0.2.0',
          dropped: { spoolFull, spoolUnwritable: 0, eventTooLarge: 0, recordFailed },
        },
      );
    expect(foldOne([report(later, 12, 1), report(at, 5, 0)])).toMatchObject({
      producerVersion: '0.2.0',
      dropped: { spoolFull: 12, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 1 },
    });
  });

  it('is a document without user or version until they are known', () => {
    const unknown = foldOne([exampleEvent({ number: 1, source: '/producers/p1', time: at })]);
    const nothing = { user: '', machine: '', host: '', hostVersion: '', attributedAt: '' };
    expect(unknown).toMatchObject({ ...nothing, versionAt: '', producerVersion: '' });
    const data = { host: { name: 'pi', version: null }, producerVersion: null } as const;
    const silent = foldOne([event('pi.session.attributed.v1', { at }, data)]);
    expect(silent).toMatchObject({ host: 'pi', hostVersion: '', versionAt: '' });
    expect(silent).toMatchObject({ producerVersion: '' });
  });

  it('keeps the newest time of receipt and the highest place, whatever comes after', () => {
    const given = [5, 9, 7].map((number) =>
      exampleEvent({ number, source: '/producers/p1', time: at }),
    );
    const state = producers.initial('/producers/p1');
    for (const [index, each] of given.entries())
      producers.evolve(state, { position: index + 1, receivedAtMs: 30 - index, event: each }, none);
    expect(state).toMatchObject({ lastReceivedAtMs: 30, lastSequence: '0000000009' });
  });

  it('counts nothing that the collector itself wrote', () => {
    const sealed = event('pi.history.sealed.v1', { at });
    const [stored] = storedAll([sealed]);
    expect(stored && producers.key(stored)).toBeNull();
  });
});
