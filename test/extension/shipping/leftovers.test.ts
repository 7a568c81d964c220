import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLease } from '../../../core/spool/lease.ts';
import { upkeepIntervalMs } from '../../../extension/shipping/pass.ts';
import {
  acknowledge,
  answer,
  freePort,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { draftsOf, idOf, idsOf } from '../../core/spool/support/drafts.ts';
import { filesIn, temporaryDirectory } from '../../core/spool/support/places.ts';
import { flushIntervalMs, leaveBehind, setUp, until, untilShipped, untilState } from './support.ts';

describe("other producers' leftovers", () => {
  it('are adopted and shipped after the own events, and leave nothing behind', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    for (let pid = 1; pid <= 100; pid += 1)
      leaveBehind(setup.spoolDirectory, pid, pid * 10, pid * 10 + 2);
    setup.spool.append(draftsOf(1, 2));
    setup.ship();
    await until(() => expect(collector.ids()).toHaveLength(302));
    await untilShipped(setup);
    expect(collector.ids().slice(0, 2)).toEqual(idsOf(1, 2));
    expect(new Set(collector.ids()).size).toBe(302);
    expect(collector.inFlightMax()).toBe(1);
    await until(() => expect(filesIn(setup.spoolDirectory)).toEqual([]));
    expect(setup.spool.bytes()).toBe(0);
  });

  it('are looked for at the first wake, even without own events, and then seldom', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    leaveBehind(setup.spoolDirectory, 1, 1, 1);
    setup.ship();
    await until(() => expect(collector.ids()).toEqual([idOf(1)]));
    await untilShipped(setup);
    leaveBehind(setup.spoolDirectory, 2, 2, 2);
    setup.spool.append(draftsOf(10, 10));
    setup.ship();
    await untilShipped(setup);
    expect(collector.ids()).not.toContain(idOf(2));
    setup.clock.advance(upkeepIntervalMs);
    setup.spool.append(draftsOf(11, 11));
    setup.ship();
    await until(() => expect(collector.ids()).toContain(idOf(2)));
  });

  it('are left alone while the collector does not take events', async () => {
    const setup = setUp(`http://127.0.0.1:${await freePort()}`);
    leaveBehind(setup.spoolDirectory, 1, 1, 1);
    const before = filesIn(setup.spoolDirectory);
    setup.spool.append(draftsOf(2, 2));
    setup.ship();
    await untilState(setup, 'waiting');
    expect(filesIn(setup.spoolDirectory)).toEqual(expect.arrayContaining(before));
  });

  it('are left to a collector that reads this spool; own events are still shipped', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    await writeLease(setup.spoolDirectory, {
      owner: setup.owner,
      url: collector.url,
      refreshedAtMs: setup.clock.nowMs() + flushIntervalMs,
    });
    leaveBehind(setup.spoolDirectory, 1, 1, 1);
    setup.spool.append(draftsOf(2, 2));
    setup.ship();
    await untilShipped(setup);
    expect(collector.ids()).toEqual([idOf(2)]);
  });

  it('count towards the limit once measured, and free space when shipped', async () => {
    const collector = await startCollector(answer(503));
    const spoolDirectory = join(temporaryDirectory(), 'spool');
    leaveBehind(spoolDirectory, 1, 1, 100);
    const setup = setUp(collector.url, { spoolDirectory, spoolBytesMax: 10_000 });
    expect(setup.spool.append(draftsOf(200, 200))).toBe(true);
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.spool.append(draftsOf(201, 201))).toBe(false);
    expect(setup.spool.drops().spoolFull).toBe(1);
    collector.respond(acknowledge);
    setup.clock.advance(upkeepIntervalMs);
    await until(() => expect(setup.spool.bytes()).toBe(0));
    expect(setup.spool.append(draftsOf(202, 202))).toBe(true);
  });
});
