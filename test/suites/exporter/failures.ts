/** An endpoint that is down, busy or hangs, or does not take what it is sent. */
import { expect, it } from 'vitest';
import { openEndpoint, partialSuccess } from '../../collector/exporters/support/endpoint.ts';
import { get } from '../../collector/support/ledger.ts';
import { type Kit, shop } from './kit.ts';

export function failures(kit: Kit): void {
  const { signal, name, open, events, idsOf, arrived, stateOf, allBut } = kit;

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
    await expect
      .poll(async () => String((await stateOf(exporting)).failure))
      .toContain('ECONNREFUSED');
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
}
