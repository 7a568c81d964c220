import type { EventData } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, limitsWide, turn } from './support/given.ts';

describe('usage: whose it is', () => {
  it('takes the newest attribution that is not younger, to the minute', () => {
    const folded = fold(sessions, [
      attributed('2026-11-22T10:00:00.000Z', { project: 'first' }),
      attributed('2026-11-22T10:05:20.000Z', { project: 'second' }),
      turn('2026-11-22T10:04:59.999Z', { costNanoUsd: 1 }),
      // In the minute of the change, the newer one counts even for spend seconds earlier.
      turn('2026-11-22T10:05:10.000Z', { costNanoUsd: 10 }),
      turn('2026-11-22T10:05:30.000Z', { costNanoUsd: 100 }),
      turn('2026-11-22T10:06:00.000Z', { costNanoUsd: 1_000 }),
    ]);
    expect(folded.sums(usage, 'nanoUsd', 'project')).toEqual({ first: 1n, second: 1_110n });
  });

  it('takes the oldest attribution for what happened before all', () => {
    const folded = fold(sessions, [
      turn('2026-11-22T08:00:00.000Z'),
      attributed('2026-11-22T10:00:00.000Z', { project: 'oldest' }),
      attributed('2026-11-22T11:00:00.000Z', { project: 'newest' }),
    ]);
    expect(folded.sums(usage, 'records', 'project')).toEqual({ oldest: 1n });
  });

  it('moves what was counted before when an attribution arrives late, and nothing else', () => {
    const given = [
      turn('2026-11-22T10:00:00.000Z', { costNanoUsd: 1 }),
      turn('2026-11-22T11:00:00.000Z', { costNanoUsd: 10 }),
      turn('2026-11-22T12:00:00.000Z', { costNanoUsd: 100 }),
      attributed('2026-11-22T10:00:00.000Z', { project: 'shop' }),
    ];
    expect(fold(sessions, given.slice(0, 3)).sums(usage, 'nanoUsd', 'project')).toEqual({
      '': 111n,
    });
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'project')).toEqual({ shop: 111n });
    const later = [...given, attributed('2026-11-22T11:00:00.000Z', { project: 'side' })];
    expect(fold(sessions, later).sums(usage, 'nanoUsd', 'project')).toEqual({
      shop: 1n,
      side: 110n,
    });
    const last = [...later, attributed('2026-11-22T12:00:00.000Z', { project: 'side' })];
    expect(fold(sessions, last).emitted).toHaveLength(fold(sessions, later).emitted.length);
  });

  it('lets importers guess only while no live attribution is known', () => {
    const guess = attributed('2026-11-22T09:00:00.000Z', { basis: 'import', project: 'guessed' });
    const live = attributed('2026-11-22T12:00:00.000Z', { project: 'seen' });
    const spent = turn('2026-11-22T10:00:00.000Z');
    expect(fold(sessions, [guess, spent]).sums(usage, 'records', 'project')).toEqual({
      guessed: 1n,
    });
    for (const given of [
      [guess, spent, live],
      [live, spent, guess],
      [spent, live, guess],
    ]) {
      expect(fold(sessions, given).sums(usage, 'records', 'project')).toEqual({ seen: 1n });
    }
  });

  it('finds a provider’s billing in the current, a later or an earlier attribution', () => {
    const given = [
      attributed('2026-11-22T10:00:00.000Z', {
        billing: { anthropic: 'subscription', openai: 'metered' },
      }),
      attributed('2026-11-22T11:00:00.000Z', { billing: { anthropic: 'metered' } }),
      attributed('2026-11-22T12:00:00.000Z', { billing: { google: 'metered' } }),
      ...['anthropic', 'openai', 'google', 'other'].map((provider) =>
        turn('2026-11-22T11:30:00.000Z', { provider }),
      ),
      turn('2026-11-22T10:30:00.000Z', { provider: 'anthropic', costNanoUsd: 10 }),
    ];
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'provider', 'billing')).toEqual({
      'anthropic,metered': 1n,
      'anthropic,subscription': 10n,
      'google,metered': 1n,
      'openai,metered': 1n,
      'other,unknown': 1n,
    });
  });

  it('takes the billing of the nearest of several earlier or later attributions', () => {
    const given = ['subscription' as const, 'metered' as const].flatMap((billing, index) => [
      attributed(`2026-11-22T0${index}:00:00.000Z`, { billing: { openai: billing } }),
      attributed(`2026-11-22T2${index}:00:00.000Z`, { billing: { google: billing } }),
    ]);
    given.push(attributed('2026-11-22T10:00:00.000Z', { billing: {} }));
    given.push(
      ...['openai', 'google'].map((provider) => turn('2026-11-22T10:30:00.000Z', { provider })),
    );
    expect(fold(sessions, given).sums(usage, 'records', 'provider', 'billing')).toEqual({
      'google,subscription': 1n,
      'openai,metered': 1n,
    });
  });

  it('moves amounts when the billing is learned later', () => {
    const given = [
      attributed('2026-11-22T10:00:00.000Z', { billing: {} }),
      turn('2026-11-22T10:01:00.000Z', { costNanoUsd: 5 }),
      attributed('2026-11-22T10:02:00.000Z', { billing: { anthropic: 'subscription' } }),
    ];
    expect(fold(sessions, given.slice(0, 2)).sums(usage, 'nanoUsd', 'billing')).toEqual({
      unknown: 5n,
    });
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'billing')).toEqual({ subscription: 5n });
  });

  it('keeps of too many attributions the newest, whichever way they arrive', () => {
    const small = createSessions(noRules, {
      ...limitsWide,
      attributionsMax: 2,
      cellsMax: 100,
      toolNamesMax: 10,
    });
    const projects = ['one', 'two', 'three'].map((project, index) =>
      attributed(`2026-11-22T1${index}:00:00.000Z`, { project }),
    );
    const spent = [0, 1, 2].map((index) =>
      turn(`2026-11-22T1${index}:30:00.000Z`, { costNanoUsd: 10 ** index }),
    );
    for (const given of [
      [...projects, ...spent],
      [...spent, ...projects],
      [...spent, ...projects.toReversed()],
    ]) {
      expect(fold(small, given).sums(usage, 'nanoUsd', 'project')).toEqual({
        two: 11n,
        three: 100n,
      });
    }
  });

  it.each<[string, object]>([
    ['project', { project: { name: 'side', remote: null, branch: 'main', worktree: null } }],
    ['branch', { project: { name: 'shop', remote: null, branch: 'topic', worktree: null } }],
    ['user', { user: 'grace' }],
    ['machine', { machine: 'attic' }],
    ['host', { host: { name: 'omp', version: '1.0.0' } }],
    ['billing', { billing: { anthropic: 'subscription' } }],
    ['day', { utcOffsetMinutes: -660 }],
  ])('moves amounts when nothing but their %s is learned late', (dimension, change) => {
    const said = (time: string, data: object) =>
      event('pi.session.attributed.v1', { at: time }, {
        ...(attributed(time).data as object),
        ...data,
      } as Partial<EventData<'pi.session.attributed.v1'>>);
    const spent = turn('2026-11-22T10:30:00.000Z', { costNanoUsd: 5 });
    const given = [
      said('2026-11-22T10:00:00.000Z', {}),
      spent,
      said('2026-11-22T10:20:00.000Z', change),
    ];
    const before = Object.keys(fold(sessions, given.slice(0, 2)).sums(usage, 'nanoUsd', dimension));
    const after = Object.keys(
      fold(sessions, given, { isReloaded: true }).sums(usage, 'nanoUsd', dimension),
    );
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
    expect(fold(sessions, given.toReversed()).rows(usage, ...usage.dimensions)).toEqual(
      fold(sessions, given).rows(usage, ...usage.dimensions),
    );
  });

  it('takes the user whom the collector knows, and keeps whom the producer named', () => {
    const said = attributed('2026-11-22T10:00:00.000Z', { user: 'ada' });
    const spent = turn('2026-11-22T10:00:00.000Z');
    const known = fold(sessions, [{ ...said, authenticateduser: 'grace' }, spent]);
    expect(known.sums(usage, 'records', 'user')).toEqual({ grace: 1n });
    const factsIn = (folded: typeof known) =>
      folded.states.get('s1')?.timeline.attributions[0]?.facts;
    expect(factsIn(known)).toMatchObject({ user: 'grace', claimedUser: 'ada' });
    expect(factsIn(fold(sessions, [said]))).not.toHaveProperty('claimedUser');
  });

  it('knows an attribution again whose providers come in another order', () => {
    const at = '2026-11-22T10:00:00.000Z';
    const given = [
      attributed(at, { billing: { a: 'metered', b: 'subscription' } }),
      attributed(at, { billing: { b: 'subscription', a: 'metered' } }),
    ];
    expect(fold(sessions, given).states.get('s1')?.timeline.attributions).toHaveLength(1);
  });
});
