import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LogTime } from '../../../collector/seal/log-time.ts';
import { retentionFloor, startRetention } from '../../../collector/seal/retention.ts';
import type { Sealer } from '../../../collector/seal/sealer.ts';

const now = () => Date.parse('2026-11-22T13:00:00.000Z');
const midnight = (day: string) => Date.parse(`${day}T00:00:00.000Z`);

/** Records the calls. */
function recordingSealer(floorMs: number | null) {
  const asked: (string | number)[] = [];
  const seal =
    floorMs === null ? null : { sealId: 'one', floorMs, first: 1, last: 2, superseded: null };
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

async function askedWith(
  retentionDays: number | null,
  floorMs: number | null,
  said: Partial<LogTime> = {},
) {
  const { sealer, asked } = recordingSealer(floorMs);
  const logTime = { newestMs: now(), receivedMs: now(), confirmedMs: now(), ...said };
  const retention = startRetention({
    sealer,
    retentionDays,
    now,
    readLogTime: async () => logTime,
    onError: (error) => asked.push((error as Error).message.slice(0, 23)),
  });
  await delay(10);
  await retention.stop();
  return asked;
}

describe('retention', () => {
  it('seals up to a midnight, as many days ago as it is told', async () => {
    expect(retentionFloor(now(), 90)).toBe(midnight('2026-08-24'));
    expect(await askedWith(90, null)).toEqual(['resume', midnight('2026-08-24')]);
    expect(await askedWith(90, midnight('2026-08-23'))).toEqual(['resume', midnight('2026-08-24')]);
  });

  it('seals once a day, and never takes a floor back', async () => {
    expect(await askedWith(90, midnight('2026-08-24'))).toEqual(['resume']);
    expect(await askedWith(90, midnight('2026-09-01'))).toEqual(['resume']);
  });

  it.each([['newestMs'], ['confirmedMs']])(
    'counts from what the log says where that is earlier than the clock: %s',
    async (what) => {
      const said = { [what]: Date.parse('2026-08-20T17:00:00.000Z') };
      expect(await askedWith(90, null, said)).toEqual(['resume', midnight('2026-05-22')]);
      expect(await askedWith(90, midnight('2026-05-22'), said)).toEqual(['resume']);
      expect(await askedWith(90, null, { [what]: null })).toEqual(['resume']);
    },
  );

  it.each([['newestMs'], ['receivedMs']])(
    'seals nothing and says so where the ledger is ahead of the clock: %s',
    async (what) => {
      expect(await askedWith(90, null, { [what]: Date.parse('2036-11-22T13:00:00.000Z') })).toEqual(
        ['resume', 'History was not sealed.'],
      );
    },
  );

  it('is off by default, but finishes what another process has left', async () => {
    expect(await askedWith(null, null)).toEqual(['resume']);
  });
});
