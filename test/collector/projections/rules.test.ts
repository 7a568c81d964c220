import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FoldRules,
  noRules,
  type ProjectRule,
  rulesText,
} from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T11:00:00.000Z';

const rulesOf = (...projects: ProjectRule[]): FoldRules => ({ ...noRules, projects });

/** A dollar spent in a session of its own, in a project of this name, remote and directory. */
function work(name: string, remote: string | null = null, cwd = '/home/ada/work'): LedgerEvent[] {
  return [
    event(
      'pi.session.attributed.v1',
      { at, session: name },
      { project: { name, remote, branch: null, worktree: null }, cwd },
    ),
    turn(at, { costNanoUsd: 1 }, name),
  ];
}

function projectsWith(rules: FoldRules, given: readonly LedgerEvent[]): Record<string, bigint> {
  return fold(createSessions(rules), given, { isReloaded: true }).sums(usage, 'nanoUsd', 'project');
}

describe('rules for projects', () => {
  it('rename a project', () => {
    expect(
      projectsWith(rulesOf({ match: 'shop', as: 'store' }), [...work('shop'), ...work('shop-2')]),
    ).toEqual({
      store: 1n,
      'shop-2': 1n,
    });
  });

  it('merge projects that match the same glob', () => {
    const given = [...work('shop'), ...work('shop-fork'), ...work('workshop')];
    expect(projectsWith(rulesOf({ match: 'shop*', as: 'shop' }), given)).toEqual({
      shop: 2n,
      workshop: 1n,
    });
  });

  it('look at name, remote and directory; the first that matches counts', () => {
    const rules = rulesOf(
      { match: 'https://git.example.org/ada/*', as: 'at ada’s' },
      { match: '/srv/**', as: 'on the server' },
      { match: '**', as: 'else' },
    );
    const given = [
      ...work('a', 'https://git.example.org/ada/a.git', '/srv/a'),
      ...work('b', 'https://git.example.org/grace/b.git', '/srv/deep/.b'),
      ...work('c', null, '/opt/c'),
    ];
    expect(projectsWith(rules, given)).toEqual({ 'at ada’s': 1n, else: 1n, 'on the server': 1n });
  });

  it('know a name with the letters of a glob by itself', () => {
    expect(
      projectsWith(rulesOf({ match: 'shop [a]', as: 'store' }), [
        ...work('shop [a]'),
        ...work('shop b'),
      ]),
    ).toEqual({
      'shop b': 1n,
      store: 1n,
    });
  });

  it('leave the rest of the session, and events, as they are', () => {
    const [document] = Object.values(
      fold(createSessions(rulesOf({ match: 'shop', as: 'store' })), work('shop')).documents(),
    );
    const unchanged = fold(sessions, work('shop')).documents().shop ?? '';
    expect(document).toBe(
      unchanged.replace('"project":{"name":"shop"', '"project":{"name":"store"'),
    );
  });

  it('keep an ignored project out of usage and totals, and mark its sessions', () => {
    const projection = createSessions(rulesOf({ match: 'scratch*', ignore: true }));
    const folded = fold(projection, [...work('scratch-1'), ...work('shop')]);
    expect(folded.sums(usage, 'nanoUsd', 'project')).toEqual({ shop: 1n });
    expect(folded.sums(totals, 'nanoUsd', 'project')).toEqual({ shop: 1n });
    const columns = [...folded.states.values()].map((state) => projection.columnsOf(state));
    expect(columns).toMatchObject([
      { project: 'scratch-1', ignored: 1 },
      { project: 'shop', ignored: 0 },
    ]);
  });

  it('remove what counted before the session’s project was known as ignored', () => {
    const projection = createSessions(rulesOf({ match: 'scratch', ignore: true }));
    const given = [
      turn(at, { costNanoUsd: 1 }),
      turn(later, { costNanoUsd: 10 }),
      event('pi.attempt.estimated.v1', { at }, { tokensMax: 5 }),
      attributed(at, { project: 'scratch' }),
    ];
    expect(fold(projection, given).rows(usage, 'project')).toEqual({});
    const moved = [...given, attributed(later, { project: 'shop' })];
    expect(fold(projection, moved).sums(usage, 'nanoUsd', 'project')).toEqual({ shop: 10n });
    expect(fold(projection, moved.toReversed()).sums(usage, 'nanoUsd', 'project')).toEqual({
      shop: 10n,
    });
  });

  it('take out what was counted under the same name before the directory was known', () => {
    const projection = createSessions(rulesOf({ match: '/tmp/**', ignore: true }));
    const project = { name: 'shop', remote: null, branch: null, worktree: null };
    const attribution = (time: string, cwd: string) =>
      event('pi.session.attributed.v1', { at: time }, { project, cwd });
    const given = [
      attribution(at, '/home/ada/shop'),
      turn(later, { costNanoUsd: 1 }),
      attribution(later, '/tmp/shop'),
    ];
    expect(fold(projection, given).rows(usage, 'project')).toEqual({});
  });

  it('give the same whatever the order of events', () => {
    const projection = createSessions(
      rulesOf({ match: 's*', ignore: true }, { match: 'x', as: 'y' }),
    );
    const project = fc.constantFrom('shop', 'side', 'x', 'y');
    const time = fc.integer({ min: 10, max: 20 }).map((hour) => `2026-11-22T${hour}:00:00.000Z`);
    const each = fc.oneof(
      fc.tuple(time, project).map(([when, name]) => attributed(when, { project: name })),
      fc.tuple(time, fc.nat(9)).map(([when, costNanoUsd]) => turn(when, { costNanoUsd })),
      time.map((when) => event('pi.subagent.claimed.v1', { at: when })),
    );
    const orders = fc
      .array(each, { maxLength: 20 })
      .chain((events) =>
        fc.tuple(
          fc.constant(events),
          fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
        ),
      );
    fc.assert(
      fc.property(orders, ([given, shuffled]) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, shuffled, { isReloaded: true }),
        ];
        expect(other.documents()).toEqual(one.documents());
        expect(other.rows(usage, ...usage.dimensions)).toEqual(
          one.rows(usage, ...usage.dimensions),
        );
        expect(
          Object.keys(one.sums(usage, 'records', 'project')).filter((name) => name.startsWith('s')),
        ).toEqual([]);
      }),
    );
  });
});

describe('rules for billing', () => {
  const subscription = createSessions({ ...noRules, billing: { anthropic: 'subscription' } });

  it('fill in only where no attribution says', () => {
    const given = [
      attributed(at, { billing: { openai: 'metered' } }),
      turn(at, { provider: 'anthropic', costNanoUsd: 1 }),
      turn(at, { provider: 'openai', costNanoUsd: 10 }),
      turn(at, { provider: 'other', costNanoUsd: 100 }),
    ];
    const byBilling = (events: readonly LedgerEvent[]) =>
      fold(subscription, events).sums(usage, 'nanoUsd', 'provider', 'billing');
    expect(byBilling(given)).toEqual({
      'anthropic,subscription': 1n,
      'openai,metered': 10n,
      'other,unknown': 100n,
    });
    const said = attributed(later, { billing: { anthropic: 'metered' } });
    expect(byBilling([...given, said])).toMatchObject({ 'anthropic,metered': 1n });
  });

  it('An imported session’s billing is unknown until a rule or attribution', () => {
    const imported = [
      attributed(at, { basis: 'import', billing: {} }),
      turn(at, { costNanoUsd: 7 }),
    ];
    const live = attributed(later, { billing: { anthropic: 'metered' } });
    expect(fold(sessions, imported).sums(usage, 'nanoUsd', 'billing')).toEqual({ unknown: 7n });
    expect(fold(subscription, imported).sums(usage, 'nanoUsd', 'billing')).toEqual({
      subscription: 7n,
    });
    for (const given of [
      [...imported, live],
      [live, ...imported],
    ]) {
      expect(fold(sessions, given).sums(usage, 'nanoUsd', 'billing')).toEqual({ metered: 7n });
      expect(fold(subscription, given).sums(usage, 'nanoUsd', 'billing')).toEqual({ metered: 7n });
    }
  });

  it('hold for a session that nothing else is known of', () => {
    expect(
      fold(subscription, [turn(at, { costNanoUsd: 3 })]).sums(
        usage,
        'nanoUsd',
        'project',
        'billing',
      ),
    ).toEqual({
      ',subscription': 3n,
    });
  });
});

describe('settings', () => {
  it('are equal for rules that mean the same, and differ for those that do not', () => {
    const one: FoldRules = {
      projects: [{ match: 'a', as: 'b' }],
      billing: { x: 'metered', y: 'subscription' },
      labels: [{ project: 'a', set: { team: 'x', ticket: 'y' } }],
    };
    const same: FoldRules = {
      ...one,
      billing: { y: 'subscription', x: 'metered' },
      labels: [{ set: { ticket: 'y', team: 'x' }, project: 'a' }],
    };
    expect(rulesText(same)).toBe(rulesText(one));
    const others: FoldRules[] = [
      noRules,
      { ...one, billing: {} },
      { ...one, projects: [{ match: 'a', ignore: true }] },
      { ...one, projects: [...one.projects, { match: 'c', as: 'd' }] },
      { ...one, billing: { x: 'subscription', y: 'subscription' } },
      { ...one, labels: [] },
      { ...one, labels: [{ user: 'a', set: { team: 'x', ticket: 'y' } }] },
      { ...one, labels: [{ branch: 'a', set: { team: 'x', ticket: 'y' } }] },
      { ...one, labels: [{ project: 'a', set: { team: 'x' } }] },
      ...['project', 'user', 'branch'].map((of) => ({
        ...one,
        labels: [{ [of]: 'b', set: { team: 'x', ticket: 'y' } }],
      })),
    ];
    expect(new Set([one, ...others].map(rulesText)).size).toBe(others.length + 1);
    expect(createSessions(one).settings).toBe(rulesText(one));
    // Another text would rebuild all views.
    expect(rulesText(noRules)).toBe('[[],[]]');
    expect(rulesText({ ...noRules, billing: { y: 'metered', x: 'metered' } })).toBe(
      '[[],[["x","metered"],["y","metered"]]]',
    );
  });
});
