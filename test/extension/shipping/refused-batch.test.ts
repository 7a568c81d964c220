import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rejectedBytesMax } from '../../../extension/shipping/rejected.ts';
import {
  acknowledge,
  answer,
  type Responder,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { draftsOf, idOf, idsOf } from '../../core/spool/support/drafts.ts';
import { filesIn } from '../../core/spool/support/places.ts';
import { setUp, until, untilShipped, untilState } from './support.ts';

/** Refuses a body that contains the event. */
const refusing =
  (number: number, status: number): Responder =>
  (batch, response) =>
    (batch.text.includes(idOf(number)) ? answer(status) : acknowledge)(batch, response);

describe('a refused batch', () => {
  it('is split until the bad event is set aside; all others arrive once, in order', async () => {
    for (const [bad, status] of [
      [1, 400],
      [64, 413],
      [100, 422],
    ] as const) {
      const collector = await startCollector(refusing(bad, status));
      const setup = setUp(collector.url);
      setup.spool.append(draftsOf(1, 100));
      setup.ship();
      await untilShipped(setup);
      const taken = collector.batches
        .filter(({ text }) => !text.includes(idOf(bad)))
        .flatMap(({ events }) => events?.map(({ id }) => id) ?? []);
      expect(taken).toEqual(idsOf(1, 100).filter((id) => id !== idOf(bad)));
      expect(collector.batches.length).toBeLessThan(40);
      const [file = ''] = filesIn(setup.spoolDirectory);
      const path = join(setup.spoolDirectory, file);
      const record = JSON.parse(readFileSync(path, 'utf8'));
      expect(record).toMatchObject({
        status,
        reason: `status ${status}`,
        rejectedAt: expect.stringMatching(/^2\d{3}-/),
      });
      expect(JSON.parse(record.line).id).toBe(idOf(bad));
      if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(setup.shipper.state().rejectedEvents).toBe(1);
    }
  });

  it('continues after several bad events', async () => {
    const bad = [3, 4, 50, 97].map(idOf);
    const collector = await startCollector((batch, response) =>
      (bad.some((id) => batch.text.includes(id)) ? answer(400) : acknowledge)(batch, response),
    );
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 100));
    setup.ship();
    await untilShipped(setup);
    expect(setup.shipper.state().rejectedEvents).toBe(4);
    const [file = ''] = filesIn(setup.spoolDirectory);
    const lines = readFileSync(join(setup.spoolDirectory, file), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(JSON.parse(line).line).id)).toEqual(bad);
  });

  it('is kept, and reported once, if all is refused: a wrong URL loses nothing', async () => {
    for (const status of [400, 404, 405]) {
      const collector = await startCollector(answer(status));
      const setup = setUp(collector.url);
      setup.spool.append(draftsOf(1, 50));
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        setup.ship();
        setup.clock.advance(300_000);
        // The batch, and the empty one that shows that the endpoint refuses everything.
        await until(() => expect(collector.batches).toHaveLength(2 * attempt));
        await untilState(setup, 'waiting');
      }
      expect(setup.notices).toEqual([expect.stringContaining(collector.url)]);
      expect(setup.shipper.state()).toMatchObject({
        rejectedEvents: 0,
        lastError: expect.stringContaining(String(status)),
      });
      expect(setup.shipper.state().pendingBytes).toBeGreaterThan(0);
      collector.respond(acknowledge);
      setup.clock.advance(300_000);
      await untilShipped(setup);
      expect(collector.batches.at(-1)?.events?.map(({ id }) => id)).toEqual(idsOf(1, 50));
    }
  });

  it('stays in its segment while the bad event cannot be set aside', async () => {
    const collector = await startCollector(refusing(1, 400));
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 1));
    writeFileSync(join(setup.spoolDirectory, 'rejected'), 'a file where the directory should be');
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.shipper.state()).toMatchObject({
      rejectedEvents: 0,
      lastError: 'a refused event cannot be set aside',
    });
    expect(setup.shipper.state().pendingBytes).toBeGreaterThan(0);
  });

  it('drops a bad event, counted, when too many were set aside already', async () => {
    const collector = await startCollector(refusing(1, 400));
    const setup = setUp(collector.url);
    mkdirSync(join(setup.spoolDirectory, 'rejected'), { recursive: true });
    writeFileSync(
      join(setup.spoolDirectory, 'rejected', 'old.ndjson'),
      Buffer.alloc(rejectedBytesMax),
    );
    setup.spool.append(draftsOf(1, 1));
    setup.ship();
    await untilShipped(setup);
    expect(setup.shipper.state()).toMatchObject({
      rejectedEvents: 1,
      lastError: expect.stringContaining('full'),
    });
    expect(filesIn(setup.spoolDirectory)).toEqual([join('rejected', 'old.ndjson')]);
  });
});
