import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { type FoldRules, noRules } from '../../../../collector/projections/rules.ts';
import { fromSortable, toSortable } from '../../../../collector/projections/session/columns.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, turn } from '../support/given.ts';

const at = '2026-11-22T22:30:00.000Z';
const later = '2026-11-23T01:30:00.000Z';

function columns(given: readonly LedgerEvent[], rules: FoldRules = noRules) {
  const projection = createSessions(rules);
  const [state] = fold(projection, given, { isReloaded: true }).states.values();
  if (state === undefined) throw new Error('there is no such session');
  return projection.columnsOf(state);
}

describe('the order of sessions by what they spent', () => {
  it('is the costliest first', () => {
    const amounts = [-7n, 0n, 9n, 10n, 2n ** 100n];
    const orders = amounts.map(toSortable);
    expect(orders.toSorted()).toEqual(orders.toReversed());
    expect(orders.map(fromSortable)).toEqual(amounts);
    expect(new Set(orders.map((order) => order.length))).toEqual(new Set([40]));
  });

  it('is by each kind of billing, over all models', () => {
    const billing = { anthropic: 'metered', openai: 'subscription' } as const;
    const spent = columns([
      attributed(at, { billing }),
      turn(at, { costNanoUsd: 5 }),
      turn(later, { model: 'opus', costNanoUsd: 6 }),
      turn(at, { provider: 'openai', costNanoUsd: 70 }),
      turn(at, { provider: 'openai', model: 'gpt', costNanoUsd: 80 }),
      turn(at, { provider: 'local', costNanoUsd: 900 }),
      turn(later, { provider: 'local', costNanoUsd: 1_000 }),
    ]);
    expect(spent).toMatchObject({
      meteredOrder: toSortable(11n),
      subscriptionOrder: toSortable(150n),
      unknownOrder: toSortable(1_900n),
    });
  });

  it('leaves out what an ignored project spent', () => {
    const rules: FoldRules = { ...noRules, projects: [{ match: 'secret', ignore: true }] };
    const given = [
      attributed(at, { project: 'secret' }),
      turn(at, { costNanoUsd: 5 }),
      attributed(later, { project: 'shop' }),
      turn('2026-11-23T01:40:00.000Z', { costNanoUsd: 7 }),
    ];
    expect(columns(given, rules)).toMatchObject({ meteredOrder: toSortable(7n) });
  });
});

describe('the days of a session', () => {
  it('are its own by its newest attribution', () => {
    const given = [turn(at), turn(later)];
    const days = (...offsets: number[]) => {
      const attributions = offsets.map((offset, index) =>
        attributed(`2026-11-22T22:3${index}:00.000Z`, { offset }),
      );
      const { firstDay, lastDay } = columns([...given, ...attributions]);
      return [firstDay, lastDay];
    };
    expect(days()).toEqual(['2026-11-22', '2026-11-23']);
    expect(days(120)).toEqual(['2026-11-23', '2026-11-23']);
    expect(days(120, -120)).toEqual(['2026-11-22', '2026-11-22']);
    expect(days(-120, 60, 120)).toEqual(['2026-11-23', '2026-11-23']);
  });

  it('are none of a session that nobody has seen', () => {
    const projection = createSessions(noRules);
    const none = projection.columnsOf(projection.initial('s1'));
    expect(none).toMatchObject({ firstDay: '', lastDay: '' });
  });

  it('begin when its header was written', () => {
    const started = event('pi.session.started.v1', { at: '2026-11-20T12:00:00.000Z' });
    expect(columns([turn(at), started])).toMatchObject({ firstDay: '2026-11-20' });
  });
});
