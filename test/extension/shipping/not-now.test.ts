import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segmentName } from '../../../core/spool/layout.ts';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { unauthorizedRetryMs } from '../../../extension/shipping/shipper.ts';
import {
  acknowledge,
  answer,
  freePort,
  hang,
  startCollector,
} from '../../core/spool/support/collector.ts';
import { draftsOf, idOf, idsOf } from '../../core/spool/support/drafts.ts';
import { smallDisk } from '../../core/spool/support/small-disk.ts';
import { setUp, until, untilShipped, untilState } from './support.ts';

describe('when the collector does not take events now', () => {
  it('backs off with full jitter up to 5 minutes, keeps all, and resets after an ack', async () => {
    const port = await freePort();
    const setup = setUp(`http://127.0.0.1:${port}`, { random: () => 0.999_999 });
    setup.spool.append(draftsOf(1, 3));
    setup.ship();
    const delaysMs: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await until(() =>
        expect([setup.shipper.state().state, setup.clock.armedMs().length]).toEqual(['waiting', 1]),
      );
      const [delayMs = 0] = setup.clock.armedMs();
      delaysMs.push(delayMs);
      setup.shipper.wake();
      expect(setup.clock.armedMs()).toHaveLength(1);
      if (attempt < 11) setup.clock.advance(delayMs);
      await until(() => expect(setup.clock.armedMs()).toHaveLength(1));
    }
    expect(delaysMs.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(delaysMs.slice(-3)).toEqual([300_000, 300_000, 300_000]);
    expect(setup.shipper.state()).toMatchObject({ state: 'waiting', lastError: 'ECONNREFUSED' });
    expect(setup.notices).toEqual([]);

    const collector = await startCollector(acknowledge, port);
    setup.clock.advance(300_000);
    await untilShipped(setup);
    expect(collector.ids()).toEqual(idsOf(1, 3));
    await collector.close();
    setup.spool.append(draftsOf(4, 4));
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.clock.armedMs()).toEqual([2_000]);
  });

  it('waits as long as it is asked to', async () => {
    const collector = await startCollector(answer(429, { 'retry-after': '120' }));
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 1));
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.clock.armedMs()).toEqual([120_000]);
    collector.respond(acknowledge);
    setup.clock.advance(119_999);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(collector.batches).toHaveLength(1);
    setup.clock.advance(1);
    await untilShipped(setup);
  });

  it('tries again after a hanging answer, later', async () => {
    const collector = await startCollector(hang);
    const setup = setUp(collector.url, { timeoutMs: 300 });
    setup.spool.append(draftsOf(1, 1));
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.shipper.state().lastError).toContain('no answer within');
    collector.respond(acknowledge);
    setup.clock.advance(10_000);
    await untilShipped(setup);
  });

  it('keeps everything when its token is rejected, says so once, and retries rarely', async () => {
    for (const status of [401, 403]) {
      const collector = await startCollector(answer(status));
      const setup = setUp(collector.url);
      setup.spool.append(draftsOf(1, 5));
      setup.ship();
      await untilState(setup, 'unauthorized');
      for (let attempt = 2; attempt <= 4; attempt += 1) {
        setup.spool.append(draftsOf(attempt * 10, attempt * 10));
        setup.shipper.wake();
        expect(setup.clock.armedMs()).toEqual([unauthorizedRetryMs]);
        setup.clock.advance(unauthorizedRetryMs);
        await until(() => expect(collector.batches).toHaveLength(attempt));
        await untilState(setup, 'unauthorized');
      }
      expect(setup.notices).toEqual([expect.stringContaining(`rejects the token (${status})`)]);
      collector.respond(acknowledge);
      setup.clock.advance(unauthorizedRetryMs);
      await untilShipped(setup);
      expect(new Set(collector.ids())).toEqual(
        new Set([...idsOf(1, 5), idOf(20), idOf(30), idOf(40)]),
      );
    }
  });

  it('sends nothing behind an own segment that it cannot read', async () => {
    const collector = await startCollector();
    const setup = setUp(collector.url);
    setup.spool.append(draftsOf(1, 1));
    mkdirSync(join(setup.spoolDirectory, encodeOwner(setup.owner), segmentName(0)));
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.shipper.state().lastError).toContain('cannot be read');
    expect(collector.batches).toHaveLength(0);
  });

  it('keeps a segment that it cannot remove, without sending it repeatedly', async (context) => {
    const disk = smallDisk(256);
    if (disk.directory === null) return context.skip(disk.reason);
    const collector = await startCollector();
    const setup = setUp(collector.url, { spoolDirectory: join(disk.directory, 'spool') });
    setup.spool.append(draftsOf(1, 3));
    const segment = join(setup.spoolDirectory, encodeOwner(setup.owner), segmentName(1));
    if (spawnSync('chattr', ['+a', segment]).status !== 0)
      return context.skip('this tmpfs knows no append-only files');
    setup.ship();
    await untilState(setup, 'waiting');
    expect(setup.shipper.state().lastError).toBe('a segment cannot be removed');
    setup.clock.advance(10_000);
    await until(() => expect(setup.clock.armedMs()).toEqual([2_000]));
    expect(collector.batches).toHaveLength(1);
    spawnSync('chattr', ['-a', segment]);
    setup.clock.advance(300_000);
    await untilShipped(setup);
    expect(collector.batches).toHaveLength(1);
  });

  it('survives a notify that throws', async () => {
    const collector = await startCollector(answer(401));
    const setup = setUp(collector.url);
    const notices = setup.notices as string[];
    notices.push = () => {
      throw new Error('the host is gone');
    };
    setup.spool.append(draftsOf(1, 1));
    setup.ship();
    await until(() => expect(setup.clock.armedMs()).toHaveLength(1));
  });
});
