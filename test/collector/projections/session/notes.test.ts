import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, limitsWide, turn } from '../support/given.ts';

const at = (time: string) => `2026-11-22T${time}:30.000Z`;

const labelled = (
  time: string,
  labels: EventData<'pi.session.labelled.v1'>['labels'],
  whole = false,
) => event('pi.session.labelled.v1', { at: at(time) }, { labels, whole });

const everything = {
  since: null,
  until: null,
  project: null,
  branch: null,
  user: null,
  machine: null,
  host: null,
  provider: null,
  model: null,
};
const late = (
  time: string,
  labels: EventData<'pi.records.labelled.v1'>['labels'],
  records: Partial<EventData<'pi.records.labelled.v1'>['records']> = {},
) =>
  event(
    'pi.records.labelled.v1',
    { at: at(time), source: '/collector' },
    { labels, records: { ...everything, ...records } },
  );

const head = (
  time: string,
  commit: string | null,
  more: { branch?: string; afterTurn?: boolean },
) =>
  event(
    'pi.head.observed.v1',
    { at: at(time) },
    {
      project: { name: 'shop', remote: null, branch: more.branch ?? 'main' },
      cwd: '/',
      machine: 'workbench',
      commit: commit?.padEnd(40, commit) ?? null,
      afterTurn: more.afterTurn ?? false,
    },
  );

/** Input tokens by labels, or by the first letter of the commit. */
function tokensBy(
  dimension: 'labels' | 'head',
  given: readonly LedgerEvent[],
  projection = sessions,
) {
  const sums = fold(projection, given).sums(usage, 'inputTokens', dimension);
  const present = Object.entries(sums).filter(([, tokens]) => tokens !== 0n);
  return Object.fromEntries(
    present.map(([name, tokens]) => [
      dimension === 'head' ? name.slice(0, 4) : name,
      Number(tokens),
    ]),
  );
}

/** 1 token at 9 o'clock, 10 at 10, 100 at 11. */
const spent = [
  attributed(at('08:00')),
  turn(at('09:00'), { inputTokens: 1 }),
  turn(at('10:00'), { inputTokens: 10 }),
  turn(at('11:00'), { inputTokens: 100, model: 'opus' }),
];

describe('labels by the agent', () => {
  it('hold from their minute on', () => {
    expect(tokensBy('labels', [...spent, labelled('10:00', { ticket: 'A' })])).toEqual({
      '': 1,
      '{"ticket":"A"}': 110,
    });
  });

  it('hold for all of the session, and until something newer is said', () => {
    const given = [
      ...spent,
      labelled('10:59', { ticket: 'B' }),
      labelled('10:30', { ticket: 'A', team: 'x' }, true),
      labelled('09:00', { ticket: 'old' }),
    ];
    expect(tokensBy('labels', given)).toEqual({
      '{"team":"x","ticket":"A"}': 11,
      '{"team":"x","ticket":"B"}': 100,
    });
  });

  it('are taken away from a time on; then a rule’s show again', () => {
    const ruled = createSessions({ ...noRules, labels: [{ set: { ticket: 'rule' } }] });
    const given = [
      ...spent,
      labelled('09:30', { ticket: 'A' }),
      labelled('10:30', { ticket: null }),
    ];
    expect(tokensBy('labels', given)).toEqual({ '': 101, '{"ticket":"A"}': 10 });
    expect(tokensBy('labels', given, ruled)).toEqual({
      '{"ticket":"rule"}': 101,
      '{"ticket":"A"}': 10,
    });
  });
});

describe('labels after the fact', () => {
  it('win over the agent’s, and these over a rule’s', () => {
    const ruled = createSessions({
      ...noRules,
      labels: [{ set: { team: 'rule', ticket: 'rule', floor: 'rule' } }],
    });
    const given = [
      ...spent,
      late('12:00', { team: 'late' }),
      labelled('08:00', { team: 'agent', ticket: 'agent' }),
    ];
    expect(tokensBy('labels', given, ruled)).toEqual({
      '{"floor":"rule","team":"late","ticket":"agent"}': 111,
    });
  });

  it('select records, not sessions', () => {
    const to = (records: Parameters<typeof late>[2]) =>
      tokensBy('labels', [...spent, late('12:00', { team: 'x' }, records)])['{"team":"x"}'] ?? 0;
    expect(to({ since: '2026-11-22T10:00Z' })).toBe(110);
    expect(to({ until: '2026-11-22T10:00Z' })).toBe(1);
    expect(to({ since: '2026-11-22', until: '2026-11-22' })).toBe(111);
    expect(to({ since: '2026-11-23' })).toBe(0);
    expect(to({ until: '2026-11-21' })).toBe(0);
    expect(to({ model: 'opus' })).toBe(100);
    expect(to({ provider: 'openai' })).toBe(0);
    expect(to({ project: 'shop', branch: 'main', user: 'ada', host: 'pi' })).toBe(111);
    for (const name of ['project', 'branch', 'user', 'machine', 'host'])
      expect(to({ [name]: 'other' })).toBe(0);
  });

  it('count days as the spender does', () => {
    const east = [attributed(at('08:00'), { offset: 14 * 60 }), ...spent.slice(1)];
    const on = (day: string) =>
      tokensBy('labels', [...east, late('12:00', { team: 'x' }, { since: day, until: day })]);
    expect(on('2026-11-23')).toEqual({ '': 1, '{"team":"x"}': 110 });
    expect(on('2026-11-22')).toEqual({ '': 110, '{"team":"x"}': 1 });
  });

  it('are taken back by a later one; then the agent’s show again', () => {
    const given = [
      ...spent,
      labelled('08:00', { team: 'agent' }),
      late('12:00', { team: 'late' }),
      late('12:01', { team: null }, { model: 'opus' }),
    ];
    expect(tokensBy('labels', given)).toEqual({ '{"team":"late"}': 11, '{"team":"agent"}': 100 });
  });

  it('do not change when the session was seen', () => {
    const seen = (events: readonly LedgerEvent[]) => {
      const state = fold(sessions, events).states.get('s1');
      return [state?.firstSeenAt, state?.lastSeenAt];
    };
    expect(seen([...spent, late('20:00', { team: 'x' })])).toEqual(seen(spent));
  });
});

describe('the commit that is checked out', () => {
  it('is that of the minute’s beginning if it changed during a turn', () => {
    const given = [
      ...spent,
      head('08:00', 'a', {}),
      head('10:00', 'b', { afterTurn: true }),
      head('11:00', 'c', {}),
    ];
    expect(tokensBy('head', given)).toEqual({ aaaa: 11, cccc: 100 });
  });

  it('is the oldest seen before any, none before the first commit, and unknown elsewhere', () => {
    expect(tokensBy('head', [...spent, head('10:30', 'b', {})])).toEqual({ bbbb: 111 });
    expect(tokensBy('head', [...spent, head('08:00', null, {})])).toEqual({ none: 111 });
    expect(tokensBy('head', [...spent, head('08:00', 'a', { branch: 'side' })])).toEqual({
      '': 111,
    });
    expect(tokensBy('head', spent)).toEqual({ '': 111 });
  });

  it('is that of the branch', () => {
    const given = [
      ...spent,
      head('08:00', 'a', {}),
      attributed(at('09:30'), { branch: 'side' }),
      head('09:30', 'b', { branch: 'side', afterTurn: true }),
      attributed(at('10:30'), { branch: 'main' }),
      head('10:30', 'c', {}),
    ];
    expect(tokensBy('head', given)).toEqual({ aaaa: 1, bbbb: 10, cccc: 100 });
  });
});

describe('notes in documents', () => {
  it('are absent without any, and stay within their bounds', () => {
    expect(Object.values(fold(sessions, spent).documents())[0]).not.toContain('lateLabels');
    const small = createSessions(noRules, limitsWide);
    const value = (number: number) => String(number).padEnd(200, 'x');
    const many = Array.from({ length: 1_500 }, (_, number) =>
      labelled('08:00', { ticket: value(number) }),
    );
    const [body = ''] = Object.values(fold(small, many).documents());
    expect(body.length).toBeLessThan(260_000);
    const shuffled = many.toReversed();
    expect(Object.values(fold(small, shuffled, { isReloaded: true }).documents())).toEqual([body]);
  });
});
