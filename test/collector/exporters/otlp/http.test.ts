import { describe, expect, it } from 'vitest';
import { openEndpoint, partialSuccess } from '../support/endpoint.ts';
import { logsSender, recordsNamed } from '../support/records.ts';

const never = new AbortController().signal;
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe('a sender over HTTP', () => {
  it.each(['none', 'gzip'])('delivers a batch with headers, compression %s', async (way) => {
    const endpoint = await openEndpoint();
    const sender = await logsSender(endpoint.url, { HEADERS: 'x-key=abc', COMPRESSION: way });
    const outcome = await sender.send(recordsNamed('a', 'b'), never);
    expect(outcome).toEqual({ sent: 2, rejected: 0, refused: 0, message: null });
    const [request] = endpoint.requests;
    expect(request?.path).toBe('/v1/logs');
    expect(request?.headers).toMatchObject({
      'x-key': 'abc',
      'content-type': 'application/x-protobuf',
    });
    expect(request?.headers['content-encoding']).toBe(way === 'gzip' ? 'gzip' : undefined);
    expect(request?.items.map(({ name, timeMs }) => [name, timeMs])).toEqual([
      ['a', 1_795_417_712_290],
      ['b', 1_795_417_712_290],
    ]);
    expect(request?.items[0]).toMatchObject({
      attributes: { 'pi.project': 'shop' },
      resource: {
        'service.namespace': 'pi-ledger',
        'service.name': 'agents',
        'service.instance.id': 'store',
        'service.version': '0.1.0',
      },
    });
  });

  it('says how many of a batch the endpoint dropped, and does not send them again', async () => {
    const endpoint = await openEndpoint();
    endpoint.behave(() => partialSuccess(1, 'too old'));
    const sender = await logsSender(endpoint.url);
    const outcome = await sender.send(recordsNamed('a', 'b', 'c'), never);
    expect(outcome).toEqual({ sent: 2, rejected: 1, refused: 0, message: 'too old' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each([400, 413, 422])('loses one bad item alone to a %i', async (status) => {
    const endpoint = await openEndpoint();
    endpoint.behave(({ items }) =>
      names(items).includes('bad') ? { status, body: 'no "bad" here' } : { status: 200 },
    );
    const sender = await logsSender(endpoint.url);
    const outcome = await sender.send(recordsNamed('a', 'b', 'bad', 'c', 'd'), never);
    expect(outcome).toEqual({
      sent: 4,
      rejected: 0,
      refused: 1,
      message: `${endpoint.url}/v1/logs: HTTP ${status}: no "bad" here`,
    });
    expect(names(endpoint.taken())).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([401, 403, 404, 405, 415])('keeps a batch that meets a %i', async (status) => {
    const endpoint = await openEndpoint();
    endpoint.behave(() => ({ status }));
    const sender = await logsSender(endpoint.url);
    await expect(sender.send(recordsNamed('a', 'b'), never)).rejects.toThrow(
      `HTTP ${status} (check the OTEL_* variables)`,
    );
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each([429, 500, 502, 503, 504])('keeps a batch that meets a %i', async (status) => {
    const endpoint = await openEndpoint();
    endpoint.behave(() => ({ status }));
    const sender = await logsSender(endpoint.url);
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow(`HTTP ${status}`);
    endpoint.behave(() => ({ status: 200 }));
    await sender.send(recordsNamed('a'), never);
    expect(names(endpoint.taken())).toEqual(['a']);
  });

  /** A timer counts by another clock than dates do, which is set now and then. */
  const clockMs = 50;

  it('waits as long as the endpoint asks, in seconds or until a date', async () => {
    const endpoint = await openEndpoint();
    const inTwoSeconds = new Date(Date.now() + 2_000).toUTCString();
    for (const text of ['1', inTwoSeconds]) {
      const sender = await logsSender(endpoint.url);
      const notBefore = text === '1' ? Date.now() + 1_000 : Date.parse(text);
      endpoint.behave(() => ({ status: 429, headers: { 'retry-after': text } }));
      await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow('HTTP 429');
      endpoint.behave(() => ({ status: 200 }));
      await sender.send(recordsNamed('a'), never);
      expect(Date.now()).toBeGreaterThanOrEqual(notBefore - clockMs);
    }
    expect(endpoint.requests).toHaveLength(4);
  });

  it('gives up on an endpoint that never answers, after the configured time', async () => {
    const endpoint = await openEndpoint();
    endpoint.behave(() => 'hang');
    const sender = await logsSender(endpoint.url, { TIMEOUT: '200' });
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow('no answer within 200 ms');
  });

  it('ends at once when it is aborted, within an attempt and within a pause', async () => {
    const endpoint = await openEndpoint();
    const sender = await logsSender(endpoint.url, { TIMEOUT: '600000' });
    endpoint.behave(() => 'hang');
    const first = new AbortController();
    const attempt = sender.send(recordsNamed('a'), first.signal);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    first.abort(new Error('stopping'));
    await expect(attempt).rejects.toThrow();
    endpoint.behave(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow('HTTP 503');
    const second = new AbortController();
    const pause = sender.send(recordsNamed('a'), second.signal);
    second.abort();
    await expect(pause).rejects.toThrow();
    expect(endpoint.requests).toHaveLength(2);
  });

  it('says that nobody listens, and shows neither login nor header of the address', async () => {
    const endpoint = await openEndpoint();
    await endpoint.close();
    const url = endpoint.url.replace('//', '//ada:hunter2@');
    const sender = await logsSender(`${url}?key=hunter2`);
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow(
      `${endpoint.url}/v1/logs: connect ECONNREFUSED`,
    );
  });

  it('shows no path of the address that may be a secret', async () => {
    const endpoint = await openEndpoint();
    await endpoint.close();
    const sender = await logsSender(`${endpoint.url}/receiver/hunter2`);
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow(
      `${endpoint.url}/...: connect ECONNREFUSED`,
    );
  });

  it('keeps all when an endpoint that has taken nothing so far refuses all', async () => {
    const endpoint = await openEndpoint();
    let isHttps = true;
    endpoint.behave(() =>
      isHttps ? { status: 400, body: 'a request to an HTTPS server' } : { status: 200 },
    );
    const sender = await logsSender(endpoint.url);
    await expect(sender.send(recordsNamed('a', 'b', 'c'), never)).rejects.toThrow(
      'HTTP 400: a request to an HTTPS server (check the OTEL_* variables)',
    );
    isHttps = false;
    const outcome = await sender.send(recordsNamed('a', 'b', 'c'), never);
    expect(outcome).toMatchObject({ sent: 3, refused: 0 });
  });

  it('hides a header that the endpoint repeats, and what would change a terminal', async () => {
    const endpoint = await openEndpoint();
    endpoint.behave(({ headers: { authorization } }) => ({
      status: 401,
      body: `\u001b[2Jwrong login:\n${authorization}`,
    }));
    const sender = await logsSender(endpoint.url, { HEADERS: 'Authorization=Bearer%20hunter2' });
    await expect(sender.send(recordsNamed('a'), never)).rejects.toThrow(
      'HTTP 401: [2Jwrong login: ***',
    );
  });
});
