/** A cycle of metrics leaves the thread to others, however many rows there are. */
import { expect, it } from 'vitest';
import { createCounters } from '../../../../collector/answers/metrics/counters.ts';
import { createPushReader } from '../../../../collector/exporters/metrics/readers.ts';
import { attributed, turn } from '../../projections/support/given.ts';
import { ledgerHomes } from '../../support/ledger.ts';
import { turnsOfOthers } from '../../support/turns.ts';

const homes = ledgerHomes();
const at = '2026-11-22T10:00:00.000Z';

it('between two rollups, and two metrics, that are read or named', async () => {
  const ledger = await homes.holding([attributed(at), turn(at, { costNanoUsd: 1 })]);
  const counters = createCounters(ledger.views, { users: false, now: Date.now });
  const reading = await counters.read();
  const metrics = reading?.metrics.length ?? 0;
  expect(metrics).toBeGreaterThan(15);
  expect(await turnsOfOthers(() => counters.read())).toBeGreaterThan(metrics);
  const { checkpoints } = ledger.parts.store;
  const reader = createPushReader({ counters, checkpoints, now: Date.now });
  expect(await turnsOfOthers(() => reader.next())).toBeGreaterThan(2 * metrics);
});
