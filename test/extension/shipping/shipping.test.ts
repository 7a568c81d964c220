import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { acknowledge, answer, startCollector } from '../../core/spool/support/collector.ts';
import { draftOf, draftsOf, idOf, idsOf } from '../../core/spool/support/drafts.ts';
import { filesIn } from '../../core/spool/support/places.ts';
import { flushIntervalMs, leaveBehind, setUp, until, untilShipped, untilState } from './support.ts';

describe('shipping', () => {
  it('sends events in order, one request at a time, and removes them after the ack', async () => {
    const collector = await startCollector(
      (batch, response) => void setTimeout(acknowledge, 5, batch, response),
    );
    const setup = setUp(collector.url);
    for (let number = 1; number <= 1_500; number += 1)
      setup.spool.append([draftOf(number, { textChars: 400 })]);
    setup.ship();
    await untilState(setup, 'shipping');
    for (let number = 1_501; number <= 1_600; number += 1) setup.spool.append([draftOf(number)]);
    await untilState(setup, 'idle');
    setup.clock.advance(flushIntervalMs);
    await untilShipped(setup);
    expect(collector.ids()).toEqual(idsOf(1, 1_600));
    expect(collector.batches.length).toBeGreaterThan(3);
    expect(collector.inFlightMax()).toBe(1);
    expect(filesIn(setup.spoolDirectory)).toEqual([]);
    expect(setup.spool.bytes()).toBe(0);
    expect(setup.shipper.state()).toMatchObject({
      lastAckAtMs: expect.any(Number),
      lastError: null,
      rejectedEvents: 0,
    });
  });

  it('arms one timer for many wakes, and none while nothing waits', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    expect(setup.clock.armedMs()).toEqual([]);
    setup.spool.append(draftsOf(1, 3));
    for (let wake = 0; wake < 5; wake += 1) setup.shipper.wake();
    expect(setup.clock.armedMs()).toEqual([flushIntervalMs]);
    setup.clock.advance(flushIntervalMs);
    await untilShipped(setup);
    expect(collector.batches).toHaveLength(1);
    expect(setup.clock.armedMs()).toEqual([]);
  });

  it('delivers twice, never less than once, when an answer is lost', async () => {
    let lost = 0;
    const collector = await startCollector((batch, response) => {
      lost += 1;
      if (lost <= 2) response.destroy();
      else acknowledge(batch, response);
    });
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 10));
    setup.ship();
    await untilState(setup, 'waiting');
    setup.clock.advance(10_000);
    await until(() => expect(collector.batches).toHaveLength(2));
    await untilState(setup, 'waiting');
    setup.clock.advance(10_000);
    await untilShipped(setup);
    expect(collector.ids()).toEqual([...idsOf(1, 10), ...idsOf(1, 10), ...idsOf(1, 10)]);
  });

  it('does not resend acknowledged events after a failure in the middle of a segment', async () => {
    const collector = await startCollector((batch, response) =>
      (batch.text.includes(idOf(1_500)) ? answer(503) : acknowledge)(batch, response),
    );
    const setup = setUp(collector.url);
    // One append creates one segment, of more than one batch.
    setup.spool.append(draftsOf(1, 2_000));
    setup.ship();
    await untilState(setup, 'waiting');
    collector.respond(acknowledge);
    setup.clock.advance(10_000);
    await untilShipped(setup);
    const ids = collector.ids();
    expect(ids.filter((id) => id === idOf(1))).toHaveLength(1);
    expect([...new Set(ids)]).toEqual(idsOf(1, 2_000));
  });

  it('leaves events that the collector keeps as dead letters to the collector', async () => {
    const rejected = [{ index: 0, code: 'schema', field: '/data', message: 'no' }];
    const collector = await startCollector(
      answer(200, {}, JSON.stringify({ accepted: 1, duplicates: 0, expired: 0, rejected })),
    );
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 2));
    setup.ship();
    await untilShipped(setup);
    expect(collector.batches).toHaveLength(1);
    expect(setup.shipper.state().rejectedEvents).toBe(0);
  });

  it('does not send the torn end of a segment, and sets a garbage line aside', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    leaveBehind(setup.spoolDirectory, 1, 1, 2);
    const [segment = ''] = filesIn(setup.spoolDirectory);
    const path = join(setup.spoolDirectory, segment);
    writeFileSync(path, `${readFileSync(path, 'utf8')}\0\0\0\n{"specversion":"1`);
    setup.ship();
    await until(() => expect(collector.ids()).toEqual(idsOf(1, 2)));
    await untilShipped(setup);
    expect(setup.shipper.state().rejectedEvents).toBe(1);
    expect(filesIn(setup.spoolDirectory)).toEqual([
      join('rejected', `${encodeOwner(setup.owner)}.ndjson`),
    ]);
  });
});
