/** Where it begins, or goes on, in a log of which something is missing or too much. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEndpoint } from '../../collector/exporters/support/endpoint.ts';
import { type Kit, shop } from './kit.ts';

/** Of an event whose id is of this time. */
const youngNumber = Date.parse('2026-11-22');

export function beginnings(kit: Kit): void {
  const { name, open, events, idsOf, arrived, stateOf } = kit;

  it('passes over what retention deleted first, counts it and says so', async () => {
    const endpoint = await openEndpoint();
    const exporting = await open(endpoint.url);
    await exporting.accept(shop);
    await exporting.reachesHead();
    endpoint.behave(() => ({ status: 503 }));
    await exporting.accept(events(1, 30, { time: '2026-06-01T09:00:00.000Z' }));
    await exporting.ledger.subscription.catchUp();
    await exporting.stop();
    // An exporter that runs meanwhile would pass over them itself.
    const { home } = exporting;
    const sealing = await open(endpoint.url, { home, more: { OTEL_SDK_DISABLED: 'true' } });
    await sealing.ledger.sealer.seal({ floorMs: Date.parse('2026-11-01') });
    await sealing.stop();
    endpoint.behave(() => ({ status: 200 }));
    const again = await open(endpoint.url, { home: exporting.home });
    // An id tells when: before the floor, it is taken for one that was deleted.
    const [first, last] = [youngNumber, youngNumber + 4];
    await again.accept(events(first, last));
    await again.reachesHead();
    expect(arrived(endpoint, 1, 30)).toEqual([]);
    expect(arrived(endpoint, first, last)).toEqual(idsOf(first, last));
    const { passedOver, warnings } = await stateOf(again);
    expect(passedOver).toBe(30);
    expect(warnings).toEqual([
      `The subscriber ${name} lacks events that were deleted before it read them: 30.`,
    ]);
    expect(again.log.join('')).toContain(`${name} passes over 30 events`);
  });

  it('begins at the newest event of a store that was put back, and says so', async () => {
    const endpoint = await openEndpoint();
    const exporting = await open(endpoint.url);
    const { home } = exporting;
    await exporting.accept([...shop, ...events(1, 10)]);
    await exporting.reachesHead();
    await exporting.stop();
    copyFileSync(join(home, 'ledger.db'), join(home, 'backup'));
    const later = await open(endpoint.url, { home });
    await later.accept(events(11, 20));
    await later.reachesHead();
    await later.stop();
    copyFileSync(join(home, 'backup'), join(home, 'ledger.db'));
    const back = await open(endpoint.url, { home, more: { OTEL_SDK_DISABLED: 'true' } });
    await back.accept(events(21, 25));
    await back.stop();
    const again = await open(endpoint.url, { home });
    await again.accept(events(26, 30));
    await again.reachesHead();
    expect(arrived(endpoint, 1, 30)).toEqual([...idsOf(1, 20), ...idsOf(26, 30)]);
    const log = again.log.join('');
    expect(log).toContain(`the subscriber ${name} was at 22, and its checkpoint says 12.`);
    expect(log).toContain(`begins at the log's newest event, 17`);
    await again.stop();
    const next = await open(endpoint.url, { home });
    expect(next.log).toEqual([]);
  });

  it('begins at the newest event of a store that has exported nothing, and says so', async () => {
    const endpoint = await openEndpoint();
    const before = await open('');
    await before.accept([...shop, ...events(1, 10)]);
    await before.stop();
    const exporting = await open(endpoint.url, { home: before.home });
    await exporting.accept(events(11, 15));
    await exporting.reachesHead();
    expect(arrived(endpoint, 1, 15)).toEqual(idsOf(11, 15));
    expect(exporting.log.join('')).toContain(
      `The subscriber ${name} begins at the log's newest event, 12`,
    );
  });
}
