/**
 * What every exporter does with its endpoint, whatever it sends: against a real server, in a whole
 * collector with its store.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { Signal } from '../../../collector/exporters/otlp/settings.ts';
import { spanIdOf } from '../../../collector/exporters/span-ids.ts';
import {
  type Behaviour,
  type Endpoint,
  openEndpoint,
  partialSuccess,
} from '../../collector/exporters/support/endpoint.ts';
import {
  type Exporting,
  type ExportingOptions,
  exportingLedgers,
} from '../../collector/exporters/support/exporting.ts';
import { eventId } from '../../collector/support/events.ts';
import { memberEvents } from '../../collector/support/family.ts';
import { get } from '../../collector/support/ledger.ts';

export interface ExporterUnderTest {
  readonly signal: Exclude<Signal, 'metrics'>;
  /** An event that is worth one item, whose span id is that of the event; maybe others, too. */
  eventOf(number: number, place: { subject: string; time?: string }): LedgerEvent;
}

const shop = memberEvents({ id: 'session-1' });
/** Of an event whose id is of this time. */
const youngNumber = Date.parse('2026-11-22');
const signals = ['traces', 'metrics', 'logs'] as const;

export function exporterSuite({ signal, eventOf }: ExporterUnderTest): void {
  const openLedger = exportingLedgers();
  const name = `otlp-${signal}`;

  /** The others are not exported. */
  const open = (url: string, { more, ...options }: ExportingOptions = {}): Promise<Exporting> => {
    const others = signals.filter((each) => each !== signal);
    const off = others.map((each) => [`OTEL_${each.toUpperCase()}_EXPORTER`, 'none']);
    return openLedger(url, { ...options, more: { ...Object.fromEntries(off), ...more } });
  };
  const events = (from: number, to: number, place: { subject?: string; time?: string } = {}) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      eventOf(from + index, { subject: 'session-1', ...place }),
    );
  const idsOf = (from: number, to: number): string[] =>
    events(from, to).map((_, index) => spanIdOf(eventId(from + index)));

  /** Of items of these events, in the order of arrival, repeated where they came again. */
  function arrived(endpoint: Endpoint, from: number, to: number): string[] {
    const wanted = new Set(idsOf(from, to));
    return endpoint
      .taken()
      .map(({ spanId }) => spanId)
      .filter((id) => wanted.has(id));
  }

  const stateOf = async ({ ledger }: Exporting) => {
    const { warnings, subscribers } = (await get(ledger, '/health/ready')).json();
    return { warnings, ...subscribers[0] };
  };

  /** Takes every request but those with this item. */
  const allBut = (number: number, reply: ReturnType<Behaviour>): Behaviour => {
    const bad = spanIdOf(eventId(number));
    return ({ items }) => (items.some(({ spanId }) => spanId === bad) ? reply : { status: 200 });
  };

  describe(`the exporter of ${signal}`, () => {
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

    it('catches up in order when an endpoint was down for 1,000 batches', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url);
      await exporting.accept(shop);
      await exporting.reachesHead();
      await endpoint.close();
      for (let batch = 0; batch < 1_000; batch += 1)
        await exporting.accept(events(batch * 3 + 1, batch * 3 + 3));
      // Everything else goes on meanwhile.
      await exporting.ledger.subscription.catchUp();
      const { rows } = (await get(exporting.ledger, '/v1/usage?by=project')).json();
      expect(rows).toMatchObject([{ project: 'shop', records: 3_001 }]);
      expect((await stateOf(exporting)).failure).toContain('ECONNREFUSED');
      const back = await openEndpoint(endpoint.port);
      await exporting.reachesHead();
      expect(arrived(back, 1, 3_000)).toEqual(idsOf(1, 3_000));
      expect((await stateOf(exporting)).failure).toBeNull();
      // The same failure in a row is said once.
      expect(exporting.log.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(1);
    });

    it('waits as long as a busy endpoint asks, and loses nothing', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url);
      await exporting.accept(shop);
      await exporting.reachesHead();
      let notBefore = Number.POSITIVE_INFINITY;
      const early: number[] = [];
      endpoint.behave(() => {
        const now = Date.now();
        if (now >= notBefore) return { status: 200 };
        if (Number.isFinite(notBefore)) early.push(now);
        notBefore = now + 1_000;
        return { status: 429, headers: { 'retry-after': '1' } };
      });
      await exporting.accept(events(1, 3));
      await exporting.reachesHead();
      expect(early).toEqual([]);
      expect(arrived(endpoint, 1, 3)).toEqual(idsOf(1, 3));
    });

    it('loses one bad item alone to a 400, counts it and says so', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url);
      endpoint.behave(allBut(7, { status: 400, body: 'this is no item' }));
      await exporting.accept([...shop, ...events(1, 20)]);
      await exporting.reachesHead();
      expect(arrived(endpoint, 1, 20)).toEqual(idsOf(1, 20).toSpliced(6, 1));
      const { losses, failure, warnings } = await stateOf(exporting);
      const message = `${endpoint.url}/v1/${signal}: HTTP 400: this is no item`;
      expect({ losses, failure }).toEqual({
        losses: { rejected: 0, refused: 1, message },
        failure: null,
      });
      expect(warnings).toEqual([
        `The subscriber ${name} lost items that its endpoint does not take: 1. ` +
          `The last reason: ${message}`,
      ]);
      expect(exporting.log.filter((line) => line.includes('this is no item'))).toHaveLength(1);
    });

    it('keeps everything when the login is refused, and says so once', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url, {
        more: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2' },
      });
      endpoint.behave(({ headers: { authorization } }) => ({ status: 401, body: authorization }));
      await exporting.accept([...shop, ...events(1, 20)]);
      await expect.poll(() => endpoint.requests.length).toBeGreaterThan(3);
      expect((await stateOf(exporting)).failure).toContain('HTTP 401');
      expect(exporting.log.filter((line) => line.includes('HTTP 401'))).toHaveLength(1);
      expect(exporting.log.join('')).not.toContain('hunter2');
      endpoint.behave(() => ({ status: 200 }));
      await exporting.reachesHead();
      expect(arrived(endpoint, 1, 20)).toEqual(idsOf(1, 20));
    });

    it('counts what an endpoint took and dropped, says so, and does not repeat it', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url);
      endpoint.behave(() => partialSuccess(2, 'too old for us'));
      await exporting.accept([...shop, ...events(1, 5)]);
      await exporting.reachesHead();
      const { losses } = await stateOf(exporting);
      expect(losses).toEqual({
        rejected: 2 * endpoint.requests.length,
        refused: 0,
        message: 'too old for us',
      });
      expect(arrived(endpoint, 1, 5)).toEqual(idsOf(1, 5));
      expect(exporting.log.filter((line) => line.includes('too old for us'))).toHaveLength(1);
    });

    it('gives up on an endpoint that never answers, and tries again', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url, { more: { OTEL_EXPORTER_OTLP_TIMEOUT: '100' } });
      endpoint.behave(() => 'hang');
      await exporting.accept([...shop, ...events(1, 5)]);
      await expect.poll(() => endpoint.requests.length).toBeGreaterThan(2);
      expect((await stateOf(exporting)).failure).toContain('no answer within 100 ms');
      endpoint.behave(() => ({ status: 200 }));
      await exporting.reachesHead();
      expect(arrived(endpoint, 1, 5)).toEqual(idsOf(1, 5));
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

    it('passes over what retention deleted first, counts it and says so', async () => {
      const endpoint = await openEndpoint();
      const exporting = await open(endpoint.url);
      await exporting.accept(shop);
      await exporting.reachesHead();
      endpoint.behave(() => ({ status: 503 }));
      await exporting.accept(events(1, 30, { time: '2026-06-01T09:00:00.000Z' }));
      await exporting.ledger.subscription.catchUp();
      await exporting.stop();
      const sealing = await open(endpoint.url, { home: exporting.home, isWaiting: false });
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
  });
}
