/** Whenever somebody tries the demo, a window of a plan is open: also at night and on Sundays. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { demoMonth } from '../../../../collector/cli/demo/month.ts';
import { commandLines } from '../../support/command-lines.ts';

const hourMs = 3_600_000;
/** A Thursday, on which the weeks of the epoch begin; not at full hours. */
const firstMs = Date.parse('2026-11-26T00:17:00Z');
const hours = Array.from({ length: 168 }, (_, hour) => new Date(firstMs + hour * hourMs));
const month = (now: Date) => [
  ...demoMonth({ until: now, days: 8, seed: 20, sessionsPerDay: 4, now }),
];

function limitsIn(events: readonly LedgerEvent[]) {
  return events.flatMap(({ type, data }) =>
    type === 'pi.response.received.v1' ? data.limits : [],
  );
}

/** The windows that a provider told of and that have not ended. */
function openAt(now: Date, events: readonly LedgerEvent[]): readonly string[] {
  const open = limitsIn(events).filter(({ resetAtMs }) => (resetAtMs ?? 0) > now.getTime());
  return [...new Set(open.map(({ window }) => window))].toSorted();
}

describe('the demo at every hour of a week', () => {
  const all = hours.map((now) => ({ now, events: month(now) }));

  it('has an open window of 5 hours and one of a week', () => {
    const closed = all.filter(({ now, events }) => openAt(now, events).length < 2);
    expect(closed.map(({ now }) => now.toISOString())).toEqual([]);
  });

  it('has used some of them', () => {
    const unused = all.filter(({ now, events }) =>
      limitsIn(events)
        .filter(({ resetAtMs }) => (resetAtMs ?? 0) > now.getTime())
        .every(({ utilization }) => utilization === 0),
    );
    expect(unused.map(({ now }) => now.toISOString())).toEqual([]);
  });

  it('has nothing later, and no id twice', () => {
    for (const { now, events } of all) {
      expect(events.filter(({ time }) => time > now.toISOString())).toEqual([]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    }
  });

  it('is the same each time', () => {
    const [now = new Date()] = hours;
    expect(JSON.stringify(month(now))).toBe(JSON.stringify(all[0]?.events));
  });
});

describe('pi-ledger quota', () => {
  const commandLine = commandLines();

  it('shows how much of the open windows is used', async () => {
    const { run, env } = commandLine();
    const path = `${env.PI_LEDGER_HOME}/ledger.db`;
    expect((await run('demo', '--days', '3', '--data-only', path)).code).toBe(0);
    const { rows } = JSON.parse((await run('quota', '--json')).printed);
    expect(rows).toMatchObject([
      { name: '5 h', usedShare: expect.any(Number), endsAt: expect.any(String) },
      { name: 'week', usedShare: expect.any(Number), endsAt: expect.any(String) },
    ]);
  });
});
