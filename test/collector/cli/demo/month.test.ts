import { eventTypes, type LedgerEvent, type Spend } from '@pi-ledger/contract';
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoMonth } from '../../../../collector/cli/demo/month.ts';

const options = { until: new Date('2026-11-20'), days: 30, seed: 20, sessionsPerDay: 4 };

function withoutLimits({ data, ...event }: LedgerEvent): object {
  return { ...event, data: { ...data, limits: [] } };
}

describe('the demo month', () => {
  let events: LedgerEvent[];
  beforeAll(() => {
    events = [...demoMonth(options)];
  });

  it('is the same each time', () => {
    expect(JSON.stringify([...demoMonth(options)])).toBe(JSON.stringify(events));
  });

  it('says nothing that the contract refuses, and nothing twice', () => {
    const checks = new Map(
      eventTypes.map((eventType) => [eventType.type as string, Compile(eventType.data)]),
    );
    expect(events.filter((event) => !checks.get(event.type)?.Check(event.data))).toEqual([]);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  });

  it('has projects, users, compactions, subscriptions, unpriced and unreported records', () => {
    const attributions = events.flatMap((event) =>
      event.type === 'pi.session.attributed.v1' ? [event.data] : [],
    );
    const spends: Spend[] = events.flatMap((event) =>
      'spend' in event.data && event.data.spend ? [event.data.spend] : [],
    );
    expect(new Set(attributions.map((data) => data.project.name)).size).toBeGreaterThan(3);
    expect(new Set(attributions.map((data) => data.user)).size).toBeGreaterThan(3);
    expect(attributions.some((data) => Object.values(data.billing).includes('subscription'))).toBe(
      true,
    );
    expect(events.some((event) => event.type === 'pi.compaction.completed.v1')).toBe(true);
    expect(spends.some((spend) => !spend.reported)).toBe(true);
    expect(spends.some((spend) => spend.reported && spend.costSource === 'unpriced')).toBe(true);
  });

  it('has subagents, forks, branches, labels, commits, retries, waits and limits', () => {
    const count = (type: LedgerEvent['type']) => events.filter((event) => event.type === type);
    const attributions = events.flatMap((event) =>
      event.type === 'pi.session.attributed.v1' ? [event.data] : [],
    );
    const children = attributions.filter(({ parentSessionId }) => parentSessionId !== null);
    expect(new Set(children.map(({ agent }) => agent.kind))).toEqual(new Set(['main', 'subagent']));
    expect(new Set(attributions.map(({ host }) => host.name))).toEqual(new Set(['pi', 'omp']));
    expect(count('pi.branch.summarized.v1').length).toBeGreaterThan(0);
    expect(count('pi.session.labelled.v1').length).toBeGreaterThan(0);
    expect(count('pi.head.observed.v1').length).toBeGreaterThan(attributions.length / 2);
    expect(count('pi.compaction.failed.v1').length).toBeGreaterThan(0);
    expect(count('pi.retry.ended.v1').length).toBeGreaterThan(0);
    expect(count('pi.human.waited.v1').length).toBeGreaterThan(0);
    expect(count('pi.tool.timed.v1').length).toBe(count('pi.tool.completed.v1').length);
    expect(
      events.some((event) => event.type === 'pi.response.received.v1' && event.data.limits[0]),
    ).toBe(true);
  });

  it('splits every cost by kind of token, to the nano-dollar', () => {
    const splits = events.flatMap((event) => {
      if (!('spend' in event.data) || !event.data.spend) return [];
      const { costNanoUsd, rawUsage } = event.data.spend;
      const { total, ...parts } = rawUsage.cost as Record<string, number>;
      const sum = Object.values(parts).reduce((all, usd) => all + Math.round(usd * 1e9), 0);
      return [{ sum, said: costNanoUsd ?? 0, total: Math.round((total ?? 0) * 1e9) }];
    });
    expect(splits.filter(({ sum, said, total }) => sum !== said || total !== said)).toEqual([]);
    expect(splits.filter(({ said }) => said > 0).length).toBeGreaterThan(1_000);
  });

  it('has no event after its clock, and the same ones before it but for open windows', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const isBefore = ({ time }: LedgerEvent) => time <= now.toISOString();
    const before = new Map(
      events.filter(isBefore).map((event) => [event.id, withoutLimits(event)]),
    );
    const soFar = [...demoMonth({ ...options, now })];
    const same = soFar.filter(({ id }) => before.has(id));
    expect(soFar.filter(isBefore)).toHaveLength(soFar.length);
    expect(same.map(withoutLimits)).toEqual([...before.values()]);
  });

  it('has one more session, which goes on, while its last day is not over', () => {
    const now = new Date('2026-11-20T04:00:00Z');
    const known = new Set(events.map(({ id }) => id));
    const more = [...demoMonth({ ...options, now })].filter(({ id }) => !known.has(id));
    const begun = more.filter(({ type }) => type === 'pi.session.attributed.v1');
    expect(begun.filter(({ data }) => 'agent' in data && data.agent?.kind === 'main')).toHaveLength(
      1,
    );
    expect([...demoMonth({ ...options, now: new Date('2026-11-21T00:00:00Z') })]).toEqual(events);
  });

  it('names nobody without saying that it is a demo', () => {
    const names = events.flatMap((event) =>
      event.type === 'pi.session.attributed.v1'
        ? [event.data.user, event.data.machine, event.data.project.name]
        : [],
    );
    expect(names.filter((name) => !name.startsWith('demo-'))).toEqual([]);
  });
});
