/** `GET /metrics`: what Prometheus is shown where nothing is sent by OTLP. */
import { describe, expect, it, vi } from 'vitest';
import { attributed, turn } from '../../projections/support/given.ts';
import { budget } from '../../roles/budgets/support.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { offer } from '../../support/two-people.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();
const at = '2026-11-22T10:00:00.000Z';

function samples(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(`${name}{`));
}

describe('GET /metrics', () => {
  it('shows what there is, with the identity of the counters', async () => {
    const ledger = await homes.holding([
      attributed(at),
      turn(at, { costNanoUsd: 12_300_000 }),
      turn(at, { costNanoUsd: 1 }),
    ]);
    const { text, status, headers } = await get(ledger, '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const [cost = '', ...others] = samples(text, 'pi_cost_usd_total');
    expect(others).toEqual([]);
    expect(cost).toMatch(/ 0\.012300001$/);
    expect(cost).toContain('job="pi-ledger/agents"');
    expect(cost).toMatch(new RegExp(`instance="${ledger.storeId}/0/\\d+"`));
    expect(cost).not.toContain('pi_user');
    expect(samples(text, 'pi_metrics_hidden_series')[0]).toMatch(/ 0$/);
  });

  it('shows the same identity to the next who asks, and a new series from zero', async () => {
    const subject = await guarded.open();
    const { text: token } = await subject.make({ user: 'ada', scopes: ['read'] });
    const costs = async () => {
      const { text } = await subject.ask({ url: '/metrics', token });
      return samples(text, 'pi_cost_usd_total').map((line) => ({
        project: /pi_project="(\w+)"/.exec(line)?.[1],
        instance: /instance="([^"]+)"/.exec(line)?.[1],
        value: line.split(' ').at(-1),
      }));
    };
    await offer(subject, [attributed(at, { project: 'shop' }, 'a'), turn(at, {}, 'a')]);
    const [first] = await costs();
    const more = [attributed(at, { project: 'vault' }, 'b'), turn(at, {}, 'b'), turn(at, {}, 'a')];
    await offer(subject, more);
    const both = await costs();
    expect(both.map(({ project, value }) => [project, Number(value)])).toEqual([
      ['shop', 2 * Number(first?.value)],
      ['vault', 0],
    ]);
    expect(new Set(both.map(({ instance }) => instance))).toEqual(new Set([first?.instance]));
  });

  it('answers OpenMetrics to who accepts it, as Prometheus does', async () => {
    const ledger = await homes.holding([attributed(at), turn(at)]);
    const accept =
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3';
    const { text, headers } = await get(ledger, '/metrics', { accept });
    expect(headers['content-type']).toContain('application/openmetrics-text; version=1.0.0');
    expect(text.endsWith('# EOF\n')).toBe(true);
  });

  it('reads the counters once for all who ask at once: they may have left long ago', async () => {
    const ledger = await homes.holding([attributed(at), turn(at)]);
    const reading = vi.spyOn(ledger.parts.store.checkpoints, 'read');
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(ledger, '/metrics')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(reading.mock.calls.length).toBeGreaterThan(0);
    expect(reading.mock.calls.length).toBeLessThan(10);
  });

  it('has users as an attribute with the setting metricUsers', async () => {
    const subject = await guarded.open({ metricUsers: true });
    await offer(subject, [attributed(at, { user: 'bob' }, 'a'), turn(at, {}, 'a')]);
    const { text: token } = await subject.make({ user: 'ada', scopes: ['read'] });
    const { text } = await subject.ask({ url: '/metrics', token });
    expect(samples(text, 'pi_cost_usd_total')[0]).toContain('pi_user="bob"');
  });

  it('says how each budget stands, by its name alone', async () => {
    const scope = { project: 'shop', user: 'bob' };
    const budgets = [
      budget('of "bob"', { ...scope, limit: '0.000001', per: 'month' }),
      budget('roomy', { limit: '0.000004', per: 'month' }),
    ];
    const subject = await guarded.open({ budgets });
    await offer(subject, [
      attributed(at, { user: 'bob' }, 'a'),
      turn(at, { costNanoUsd: 1_100 }, 'a'),
    ]);
    const { text } = await subject.ask({ url: '/metrics', token: subject.machineToken });
    const values = (name: string) =>
      samples(text, name).map((line) => line.replace(/,?(job|instance)="[^"]*"/g, ''));
    expect(values('pi_budget_state')).toEqual([
      'pi_budget_state{pi_budget_name="of \\"bob\\""} 2',
      'pi_budget_state{pi_budget_name="roomy"} 0',
    ]);
    expect(values('pi_budget_utilization_ratio')).toEqual([
      'pi_budget_utilization_ratio{pi_budget_name="of \\"bob\\""} 1.1',
      'pi_budget_utilization_ratio{pi_budget_name="roomy"} 0.275',
    ]);
  });

  it('refuses tokens that see only a part, and says why', async () => {
    const subject = await guarded.open();
    for (const part of [{ onlyOwn: true }, { projects: ['shop'] }]) {
      const { text: token } = await subject.make({ user: 'ada', scopes: ['read'], ...part });
      const { status, text } = await subject.ask({ url: '/metrics', token });
      expect(status).toBe(403);
      expect(text).toContain('Metrics are of the whole ledger');
    }
    const { text: sender } = await subject.make({ user: 'ada', scopes: ['ingest'] });
    expect((await subject.ask({ url: '/metrics', token: sender })).status).toBe(403);
  });
});
