import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { attributed, turn } from '../../../projections/support/given.ts';
import { askInsights, newSession, spent, turnOf, usd } from '../support/asked.ts';

const { ask, ofKind } = askInsights();

describe('projects and models that spend more', () => {
  const before = [
    ...spent('09-24', 1, { project: 'blog' }),
    ...spent('10-01', 20, { branch: 'main' }),
  ];

  it('are told with both figures and the split behind the change', async () => {
    const rows = await ofKind('project-spends-more', [
      ...before,
      ...spent('11-01', 24, { branch: 'main' }),
      ...spent('11-02', 30, { branch: 'feature/it' }),
    ]);
    expect(rows).toMatchObject([
      {
        billing: 'metered',
        nanoUsd: String(34 * usd),
        bound: 'exact',
        isChange: true,
        title: 'shop spends more: $54.00 against $20.00 in the 31 days before, until the same hour',
        reason: 'feature/it +$30.00, main +$4.00',
        command: 'pi-ledger report --project shop --by branch --since 2026-10-23',
        rows: [
          { is: 'branch', id: 'feature/it', nanoUsd: String(30 * usd) },
          { is: 'branch', id: 'main', nanoUsd: String(4 * usd) },
        ],
      },
    ]);
  });

  it('compare a day that is not over with as much of the one before', async () => {
    const hours = (day: string, hour: string, dollars: number) => {
      const [time, id] = [`2026-${day}T${hour}:30:00.000Z`, newSession()];
      return [attributed(time, {}, id), turn(time, { costNanoUsd: dollars * usd }, id)];
    };
    // Noon: what yesterday spent after 13 o'clock has no counterpart yet.
    const given = [...before, ...hours('11-21', '12', 2), ...hours('11-21', '13', 90)];
    const now = hours('11-22', '11', 5);
    const titles = async (query: string) =>
      (await ask([...given, ...now], query)).rows
        .filter(({ kind }) => kind === 'project-spends-more')
        .map(({ title }) => title);
    expect(await titles('since=2026-11-22')).toEqual([
      'shop spends more: $5.00 against $2.00 in the day before, until the same hour',
    ]);
    expect(await titles('since=2026-11-21&until=2026-11-21')).toEqual([
      'shop spends more: $92.00 against nothing in the day before',
    ]);
  });

  it('can be those of one label, one person, one model, one provider', async () => {
    const rules = { user: 'grace' };
    const given = [
      ...before,
      ...spent('10-02', 1, rules),
      ...spent('11-01', 30, rules, 'opus'),
      ...spent('11-02', 60),
    ];
    const amounts = async (query: string) => {
      const { rows, leftOut } = await ask(given, query);
      const more = rows.filter(({ kind }) => kind === 'project-spends-more');
      return [more.map(({ nanoUsd }) => Number(nanoUsd) / usd), leftOut.length];
    };
    expect(await amounts('')).toEqual([[69], 0]);
    expect(await amounts('user=grace')).toEqual([[29], 1]);
    expect(await amounts('model=opus')).toEqual([[30], 1]);
    expect(await amounts('provider=anthropic')).toEqual([[69], 0]);
    expect((await amounts('provider=openai'))[0]).toEqual([]);
    expect(await amounts('label=team%3Dcheckout')).toEqual([[], 1]);
    const { rows } = await ask(given, 'user=grace&since=2026-10-23&until=2026-11-20');
    expect(rows.map(({ command }) => command)).toContain(
      'pi-ledger report --project shop --by branch --since 2026-10-23 --until 2026-11-20 ' +
        '--user grace',
    );
  });

  it('keep metered and subscription apart', async () => {
    const subscription = { billing: { anthropic: 'subscription' as const } };
    const rows = await ofKind('model-spends-more', [
      ...before,
      ...spent('11-01', 40),
      ...spent('11-01', 7, subscription),
    ]);
    expect(rows.map(({ billing, nanoUsd }) => [billing, nanoUsd])).toEqual([
      ['metered', String(19 * usd)],
      ['subscription', String(7 * usd)],
    ]);
  });

  it('are a bound where records without a price are left out', async () => {
    const unpriced = (day: string) =>
      turnOf(day, { costNanoUsd: null, costSource: 'unpriced', model: 'local' });
    const bounds = async (...more: readonly LedgerEvent[]) =>
      (await ofKind('project-spends-more', [...before, ...spent('11-01', 40), ...more])).map(
        ({ bound }) => bound,
      );
    expect(await bounds(...unpriced('11-01'))).toEqual(['atLeast']);
    expect(await bounds(...unpriced('10-02'))).toEqual(['atMost']);
    expect(await bounds(...unpriced('11-01'), ...unpriced('10-02'))).toEqual(['estimated']);
  });

  it('are not told where the ledger does not have the period before', async () => {
    const given = [...spent('10-10', 1), ...spent('11-01', 50)];
    expect(await ofKind('project-spends-more', given)).toEqual([]);
    expect((await ask(given)).leftOut).toEqual([
      'nothing is compared: the ledger does not have the 31 days before',
    ]);
  });
});
