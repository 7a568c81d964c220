/** Counters of a store that was put back from a backup: no series falls. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { CollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { attributed, turn } from '../projections/support/given.ts';
import { get, ledgerHomes, post } from '../support/ledger.ts';

const homes = ledgerHomes();
const at = '2026-11-22T10:00:00.000Z';
let opened: Ledger | null = null;
let nowMs = Date.parse(at) + 3_600_000;

afterEach(() => opened?.close());

/** Opens it, takes the events in, asks for metrics, and closes it. */
async function shown(config: CollectorConfig, events: readonly object[]) {
  nowMs += 60_000;
  opened = await openLedger(config, { now: () => nowMs });
  expect((await post(opened, events)).status).toBe(200);
  const { text } = await get(opened, '/metrics');
  await opened.close();
  opened = null;
  const [, instance, value] =
    /^pi_cost_usd_total\{.*instance="([^"]+)".*\} (\S+)$/m.exec(text) ?? [];
  return { instance, value };
}

function copyStore(from: string, to: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(to + suffix, { force: true });
    if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
  }
}

it('begin as new series when the store ends before what they were shown with', async () => {
  const config = homes.config();
  const store = join(config.home, 'ledger.db');
  const backup = join(config.home, 'backup');
  const first = await shown(config, [attributed(at), turn(at, { costNanoUsd: 1_000_000_000 })]);
  copyStore(store, backup);
  const more = await shown(config, [turn(at, { costNanoUsd: 3_000_000_000 })]);
  expect(more).toEqual({ instance: first.instance, value: '4' });
  copyStore(backup, store);
  const back = await shown(config, []);
  expect(back.value).toBe('1');
  expect(back.instance).not.toBe(first.instance);
  const next = await shown(config, [turn(at, { costNanoUsd: 2_000_000_000 })]);
  expect(next).toEqual({ instance: back.instance, value: '3' });
});
