import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { floorOf, startRetention } from '../../../collector/seal/retention.ts';
import type { Sealer } from '../../../collector/seal/sealer.ts';

const now = () => Date.parse('2026-11-22T13:00:00.000Z');
const midnight = (day: string) => Date.parse(`${day}T00:00:00.000Z`);

/** Writes down what it is asked for. */
function recordingSealer(floorMs: number | null) {
  const asked: (string | number)[] = [];
  const seal = floorMs === null ? null : { sealId: 'one', floorMs, first: 1, last: 2, superseded: null };
  const sealer: Sealer = {
    async seal({ floorMs }) {
      asked.push(floorMs);
      return { floorMs, events: 0, documents: 0 };
    },
    async resume() {
      asked.push('resume');
    },
    inForce: async () => seal,
    stop: async () => undefined,
  };
  return { sealer, asked };
}

async function askedWith(retentionDays: number | null, floorMs: number | null, newestMs: number | null = now()) {
  const { sealer, asked } = recordingSealer(floorMs);
  const retention = startRetention({
    sealer,
    retentionDays,
    now,
    newestMs: async () => newestMs,
    onError: (error) => {
      throw error;
    },
  });
  await delay(10);
  await retention.stop();
  return asked;
}

describe('retention', () => {
  it('seals up to a midnight, as many days ago as it is told', async () => {
    expect(floorOf(now(), 90)).toBe(midnight('2026-08-24'));
    expect(await askedWith(90, null)).toEqual(['resume', midnight('2026-08-24')]);
    expect(await askedWith(90, midnight('2026-08-23'))).toEqual(['resume', midnight('2026-08-24')]);
  });

  it('seals once a day, and never takes a floor back', async () => {
    expect(await askedWith(90, midnight('2026-08-24'))).toEqual(['resume']);
    expect(await askedWith(90, midnight('2026-09-01'))).toEqual(['resume']);
  });

  it('stays before the newest event, whatever the clock says', async () => {
    const newestMs = Date.parse('2026-08-20T17:00:00.000Z');
    expect(await askedWith(90, null, newestMs)).toEqual(['resume', midnight('2026-08-20')]);
    expect(await askedWith(90, midnight('2026-08-20'), newestMs)).toEqual(['resume']);
    expect(await askedWith(90, null, null)).toEqual(['resume']);
  });

  it('is off by default, but finishes what another process has left', async () => {
    expect(await askedWith(null, null)).toEqual(['resume']);
  });
});
