import { eventTypes, type LedgerEvent, type Spend } from '@pi-ledger/contract';
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoMonth } from '../../../collector/demo/month.ts';

const options = { until: new Date('2026-11-20'), days: 30, seed: 20, sessionsPerDay: 4 };

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

  it('names nobody without saying that it is a demo', () => {
    const names = events.flatMap((event) =>
      event.type === 'pi.session.attributed.v1'
        ? [event.data.user, event.data.machine, event.data.project.name]
        : [],
    );
    expect(names.filter((name) => !name.startsWith('demo-'))).toEqual([]);
  });
});
