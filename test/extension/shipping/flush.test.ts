import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeLease } from '../../../core/spool/lease.ts';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { answer, freePort, hang, startCollector } from '../../core/spool/support/collector.ts';
import { draftsOf, idOf, idsOf } from '../../core/spool/support/drafts.ts';
import { leaveBehind, setUp, until, untilState } from './support.ts';

describe('the flush at the end', () => {
  it('ships what is there at once, and removes the directory', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 3));
    setup.shipper.wake();
    await setup.shipper.flush(1_000);
    expect(collector.ids()).toEqual(idsOf(1, 3));
    expect(setup.shipper.state()).toMatchObject({ state: 'idle', pendingBytes: 0 });
    await until(() =>
      expect(
        statSync(join(setup.spoolDirectory, encodeOwner(setup.owner)), { throwIfNoEntry: false }),
      ).toBeUndefined(),
    );
  });

  it('sends nothing twice when it meets the pass that a wake began', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 3));
    setup.ship();
    await setup.shipper.flush(1_000);
    expect(collector.ids()).toEqual(idsOf(1, 3));
    expect(collector.inFlightMax()).toBe(1);
  });

  it('adopts nothing', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    leaveBehind(setup.spoolDirectory, 1, 1, 1);
    setup.spool.append(draftsOf(2, 2));
    await setup.shipper.flush(1_000);
    expect(collector.ids()).toEqual([idOf(2)]);
  });

  it('waits for nothing when a collector reads this very spool', async () => {
    const collector = await startCollector(hang);
    const setup = setUp(collector.url);
    await writeLease(setup.spoolDirectory, {
      owner: setup.owner,
      url: collector.url,
      refreshedAtMs: setup.clock.nowMs(),
    });
    setup.spool.append(draftsOf(1, 3));
    await setup.shipper.flush(60_000);
    expect(collector.batches).toHaveLength(0);
    expect(setup.clock.armedMs()).toEqual([]);
  });

  it('ends at the deadline when the collector hangs, and keeps everything', async () => {
    const collector = await startCollector(hang);
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 3));
    let isFlushed = false;
    const flushed = setup.shipper.flush(500).then(() => {
      isFlushed = true;
    });
    await until(() => expect(collector.batches).toHaveLength(1));
    setup.clock.advance(499);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isFlushed).toBe(false);
    setup.clock.advance(1);
    await flushed;
    expect(setup.shipper.state().pendingBytes).toBeGreaterThan(0);
  });

  it('ends at once when nobody listens', async () => {
    const setup = setUp(`http://127.0.0.1:${await freePort()}`);
    setup.spool.append(draftsOf(1, 3));
    await setup.shipper.flush(60_000);
    expect(setup.shipper.state()).toMatchObject({ state: 'waiting', lastError: 'ECONNREFUSED' });
  });

  it('does not try a collector again that has just hung or refused the token', async () => {
    for (const [responder, state] of [
      [hang, 'waiting'],
      [answer(401), 'unauthorized'],
    ] as const) {
      const collector = await startCollector(responder);
      const setup = setUp(collector.url, { timeoutMs: 300 });
      setup.spool.append(draftsOf(1, 1));
      setup.ship();
      await untilState(setup, state);
      await setup.shipper.flush(60_000);
      expect(collector.batches).toHaveLength(1);
    }
  });

  it('is followed by normal shipping if the host continues', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    leaveBehind(setup.spoolDirectory, 1, 100, 100);
    setup.spool.append(draftsOf(1, 1));
    await setup.shipper.flush(1_000);
    setup.spool.append(draftsOf(2, 2));
    setup.ship();
    await until(() => expect(collector.ids()).toEqual([idOf(1), idOf(2), idOf(100)]));
  });
});
