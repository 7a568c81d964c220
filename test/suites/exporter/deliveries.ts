/** What arrives, and when: an endpoint that takes everything, or is left waiting. */
import { expect, it } from 'vitest';
import { openEndpoint } from '../../collector/exporters/support/endpoint.ts';
import { memberEvents } from '../../collector/support/family.ts';
import { type Kit, shop } from './kit.ts';

export function deliveries(kit: Kit): void {
  const { name, open, events, idsOf, arrived, stateOf } = kit;

  it('sends each item once, with the id of its event', async () => {
    const endpoint = await openEndpoint();
    const exporting = await open(endpoint.url);
    await exporting.accept([...shop, ...events(1, 1_200)]);
    await exporting.reachesHead();
    expect(arrived(endpoint, 1, 1_200)).toEqual(idsOf(1, 1_200));
    expect(endpoint.requests.every(({ items }) => items.length <= 512)).toBe(true);
    expect(await stateOf(exporting)).toMatchObject({ name, failure: null, warnings: [] });
  });

  it.each([
    ['hang', 'before the endpoint took it'],
    ['cut', 'after the endpoint took it'],
  ] as const)(
    'that is stopped within an export (%s, %s) sends the same again',
    async (behaviour, _when) => {
      const endpoint = await openEndpoint();
      const more = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000' };
      const first = await open(endpoint.url, { more });
      await first.accept(shop);
      await first.reachesHead();
      endpoint.behave(() => behaviour);
      await first.accept(events(1, 20));
      await expect.poll(() => endpoint.requests.length).toBeGreaterThan(0);
      await first.stop();
      const interrupted = endpoint.requests.flatMap(({ items }) => items);
      endpoint.behave(() => ({ status: 200 }));
      const second = await open(endpoint.url, { home: first.home, more });
      await second.accept(events(21, 25));
      await second.reachesHead();
      const ids = arrived(endpoint, 1, 25);
      expect([...new Set(ids)].toSorted()).toEqual(idsOf(1, 25).toSorted());
      const again = new Set(endpoint.taken().map(({ spanId, traceId }) => traceId + spanId));
      expect(interrupted.every(({ spanId, traceId }) => again.has(traceId + spanId))).toBe(true);
    },
  );

  it('ends a request under way when it is stopped, and does not wait for it', async () => {
    const endpoint = await openEndpoint();
    const more = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000' };
    const exporting = await open(endpoint.url, { more });
    endpoint.behave(() => 'hang');
    await exporting.accept([...shop, ...events(1, 5)]);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    await exporting.stop();
    await expect.poll(() => endpoint.ended()).toBe(1);
  });

  it('sends nothing of projects that the rules ignore', async () => {
    const endpoint = await openEndpoint();
    const settings = { projects: [{ match: 'secret*', ignore: true }] };
    const exporting = await open(endpoint.url, { settings });
    await exporting.accept([
      ...shop,
      ...memberEvents({ id: 'hidden', project: 'secrets' }),
      ...events(1, 5, { subject: 'hidden' }),
      ...events(6, 10),
    ]);
    await exporting.reachesHead();
    expect(arrived(endpoint, 1, 10)).toEqual(idsOf(6, 10));
    expect(JSON.stringify(endpoint.requests)).not.toMatch(/hidden|secrets/);
  });
}
