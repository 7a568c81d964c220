import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaseFreshMs, removeLease, writeLease } from '../../../core/spool/lease.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import { createReaderWatch, readerLookMs } from '../../../extension/shipping/reader-watch.ts';
import {
  acknowledge,
  answer,
  freePort,
  hang,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { draftsOf, idsOf } from '../../core/spool/support/drafts.ts';
import { manualClock } from '../../core/spool/support/manual-clock.ts';
import { temporaryDirectory } from '../../core/spool/support/places.ts';
import { type Setup, setUp, until, untilShipped, untilState } from './support.ts';

const collectorOwner = { ...readOwner(), pid: 1 };

/** A producer whose next attempt is minutes away, after a long time without a collector. */
async function longWithoutCollector(): Promise<{ setup: Setup; port: number; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const spoolDirectory = join(temporaryDirectory(), 'spool');
  const clock = manualClock(Date.now());
  const setup = setUp(url, {
    spoolDirectory,
    clock,
    readerWatch: createReaderWatch({ spoolDirectory, clock }),
    random: () => 0.999_999,
  });
  setup.spool.append(draftsOf(1, 3));
  setup.ship();
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await untilState(setup, 'waiting');
    if (Math.max(...clock.armedMs()) >= 300_000) break;
    clock.advance(Math.max(...clock.armedMs()));
    await until(() => expect(setup.shipper.state().state).not.toBe('shipping'));
  }
  expect(Math.max(...clock.armedMs())).toBe(300_000);
  return { setup, port, url };
}

const lease = ({ clock, spoolDirectory }: Setup, url: string, owner = collectorOwner) =>
  writeLease(spoolDirectory, { owner, url, refreshedAtMs: clock.nowMs() });

describe('when a collector comes after a long time', () => {
  it('what waits is sent within seconds, by the lease that it writes', async () => {
    const { setup, port, url } = await longWithoutCollector();
    const collector = await startCollector(acknowledge, port);
    setup.clock.advance(readerLookMs);
    expect(collector.batches).toHaveLength(0);
    await lease(setup, url);
    setup.clock.advance(readerLookMs);
    await untilShipped(setup);
    expect(collector.ids()).toEqual(idsOf(1, 3));
    expect(setup.shipper.state()).toMatchObject({ lastError: null });
    expect(setup.clock.armedMs()).toEqual([]);
  });

  it('one with a lease that does not listen yet is retried soon, not at every look', async () => {
    const { setup, port, url } = await longWithoutCollector();
    await lease(setup, url);
    setup.clock.advance(readerLookMs);
    await untilState(setup, 'waiting');
    expect(Math.max(...setup.clock.armedMs())).toBe(2_000);
    const collector = await startCollector(answer(503), port);
    setup.clock.advance(2_000);
    await until(() => expect(collector.batches).toHaveLength(1));
    await untilState(setup, 'waiting');
    setup.clock.advance(readerLookMs - 1);
    expect(collector.batches).toHaveLength(1);
    collector.respond(acknowledge);
    setup.clock.advance(300_000);
    await untilShipped(setup);
  });

  it('the same one counts as new after it was away', async () => {
    const { setup, port, url } = await longWithoutCollector();
    await lease(setup, url);
    setup.clock.advance(readerLookMs);
    await untilState(setup, 'waiting');
    setup.clock.advance(leaseFreshMs + 1); // two attempts later
    await untilState(setup, 'waiting');
    setup.clock.advance(readerLookMs);
    await untilState(setup, 'waiting');
    const collector = await startCollector(acknowledge, port);
    await lease(setup, url);
    setup.clock.advance(readerLookMs);
    await untilShipped(setup);
    expect(collector.ids()).toEqual(idsOf(1, 3));
  });

  it('a rejected token is retried with the next collector', async () => {
    const spoolDirectory = join(temporaryDirectory(), 'spool');
    const clock = manualClock(Date.now());
    const collector = await startCollector(answer(401));
    const setup = setUp(collector.url, {
      spoolDirectory,
      clock,
      readerWatch: createReaderWatch({ spoolDirectory, clock }),
    });
    await lease(setup, collector.url, { ...collectorOwner, startTime: '7' });
    setup.spool.append(draftsOf(1, 1));
    setup.ship();
    await untilState(setup, 'unauthorized');
    collector.respond(acknowledge);
    clock.advance(readerLookMs);
    expect(setup.shipper.state().state).toBe('unauthorized');
    await lease(setup, collector.url);
    clock.advance(readerLookMs);
    await untilShipped(setup);
  });

  it('looks at no lease while nothing waits, and survives a damaged one', async () => {
    const { setup, port, url } = await longWithoutCollector();
    const collector = await startCollector(acknowledge, port);
    for (const text of ['', '{', '{"owner":7}', '[]', 'null']) {
      writeFileSync(join(setup.spoolDirectory, 'reader.json'), text);
      setup.clock.advance(readerLookMs);
    }
    expect(collector.batches).toHaveLength(0);
    await lease(setup, url);
    setup.clock.advance(readerLookMs);
    await untilShipped(setup);
    await removeLease(setup.spoolDirectory, collectorOwner);
    expect(setup.clock.armedMs()).toEqual([]);
  });
});

describe('when the user asks', () => {
  it('what waits for minutes is tried at once, and the answer awaited', async () => {
    const { setup, port } = await longWithoutCollector();
    const collector = await startCollector(acknowledge, port);
    await setup.shipper.retry(1_000);
    expect(collector.ids()).toEqual(idsOf(1, 3));
    expect(setup.shipper.state()).toMatchObject({
      state: 'idle',
      pendingBytes: 0,
      lastError: null,
    });
    expect(setup.shipper.retry(1_000)).toBeNull();
  });

  it('nobody waits longer than stated', async () => {
    const { setup, port } = await longWithoutCollector();
    const collector = await startCollector(hang, port);
    const retried = setup.shipper.retry(1_000);
    await until(() => expect(collector.batches).toHaveLength(1));
    setup.clock.advance(1_000);
    await retried;
    expect(setup.shipper.state().state).toBe('shipping');
  });
});
