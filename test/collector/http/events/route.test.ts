import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { limits } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { exampleEvent, exampleEvents } from '../../support/events.ts';
import { ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const gzip = { 'content-encoding': 'gzip' };
const nothing = { accepted: 0, duplicates: 0, expired: 0, rejected: [] };

describe('POST /v1/events takes', () => {
  it('a batch, and has it in the log before it answers', async () => {
    const ledger = await homes.open();
    const answer = await post(ledger, exampleEvents(1, 3));
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ ...nothing, accepted: 3 });
    expect(await ledger.log.read(0, 10)).toMatchObject(
      exampleEvents(1, 3).map((event) => ({ event })),
    );
  });

  it('a single event', async () => {
    const ledger = await homes.open();
    const answer = await post(ledger, exampleEvent({ number: 1 }), {
      'content-type': 'application/cloudevents+json; charset=UTF-8',
    });
    expect(answer.json()).toEqual({ ...nothing, accepted: 1 });
  });

  it('an empty batch', async () => {
    expect((await post(await homes.open(), '[]')).json()).toEqual(nothing);
  });

  it('gzip', async () => {
    const ledger = await homes.open();
    expect(
      (await post(ledger, gzipSync(JSON.stringify(exampleEvents(1, 200))), gzip)).json(),
    ).toEqual({ ...nothing, accepted: 200 });
  });

  it('an event twice in a batch as one and a duplicate, and again as a duplicate', async () => {
    const ledger = await homes.open();
    const event = exampleEvent({ number: 1 });
    expect((await post(ledger, [event, event])).json()).toEqual({
      ...nothing,
      accepted: 1,
      duplicates: 1,
    });
    expect((await post(ledger, [event])).json()).toEqual({ ...nothing, duplicates: 1 });
  });

  it('text of any kind, as deep as allowed, and stores it as it came', async () => {
    const ledger = await homes.open();
    // Two levels are around it; what is deeper is rejected by itself (ingest/depth.test.ts).
    const levels = limits.eventLevelsMax - 2;
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const text = JSON.stringify(
      exampleEvent({ number: 1, subject: 'a "},{" \\ \u2028 \ud83d\ude00' }),
    ).replace('"data":{', `"data":{"deep":${deep},`);
    expect((await post(ledger, `[ ${text} ]`)).json()).toEqual({ ...nothing, accepted: 1 });
    expect(JSON.stringify((await ledger.log.read(0, 1))[0]?.event.subject)).toBe(
      JSON.stringify('a "},{" \\ \u2028 \ud83d\ude00'),
    );
  });
});

describe('POST /v1/events refuses the whole body that', () => {
  const refusals: [
    name: string,
    body: string | Buffer,
    headers: Record<string, string>,
    status: number,
    code: string,
  ][] = [
    ['is not JSON', 'hello', {}, 400, 'not_json'],
    ['is empty', '', {}, 400, 'not_json'],
    ['is JSON with a tail', '[] []', {}, 400, 'not_json'],
    ['is not UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), {}, 400, 'not_json'],
    [
      'is one event under the content type of a batch',
      JSON.stringify(exampleEvent({ number: 1 })),
      {},
      400,
      'not_a_batch',
    ],
    [
      'has another content type',
      '[]',
      { 'content-type': 'application/json' },
      415,
      'unsupported_content_type',
    ],
    [
      'has no known charset',
      '[]',
      { 'content-type': 'application/cloudevents-batch+json; charset=utf-16' },
      415,
      'unsupported_content_type',
    ],
    [
      'has another encoding',
      '[]',
      { 'content-encoding': 'br' },
      415,
      'unsupported_content_encoding',
    ],
    ['says gzip and is not', '[]', gzip, 400, 'bad_gzip'],
    [
      'is gzip cut short',
      gzipSync(JSON.stringify(exampleEvents(1, 50))).subarray(0, -20),
      gzip,
      400,
      'bad_gzip',
    ],
    ['has 10 MiB', Buffer.alloc(10 * 1024 * 1024, ' '), {}, 413, 'body_too_large'],
    ['has 10 MiB of gzip', gzipSync(randomBytes(10 * 1024 * 1024)), gzip, 413, 'body_too_large'],
    [
      'inflates to more than the limit',
      gzipSync(Buffer.alloc(limits.decompressedBytesMax + 1, ' ')),
      gzip,
      413,
      'body_too_large',
    ],
    [
      'has too many events',
      JSON.stringify(Array.from({ length: limits.batchEventsMax + 1 }, () => 0)),
      {},
      413,
      'too_many_events',
    ],
  ];

  it.each(refusals)('%s', async (_name, body, headers, status, code) => {
    const ledger = await homes.open();
    const answer = await post(ledger, body, headers);
    expect({ status: answer.status, code: answer.json().code }).toEqual({ status, code });
    expect(typeof answer.json().message).toBe('string');
    expect(await ledger.log.head()).toBe(0);
    expect(await ledger.log.deadLetters(0, 1)).toEqual([]);
  });

  it('is a bomb: a MiB of gzip that would become a GiB costs no more than the limit', async () => {
    const ledger = await homes.open();
    const bomb = gzipSync(Buffer.alloc(1024 * 1024 * 1024), { level: 1 });
    expect(bomb.length).toBeLessThan(limits.bodyBytesMax * 2);
    const before = process.memoryUsage().rss;
    const answer = await post(ledger, bomb.subarray(0, limits.bodyBytesMax), gzip);
    expect(answer.status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('has no content type at all', async () => {
    const ledger = await homes.open();
    const answer = await ledger.app.inject({ method: 'POST', url: '/v1/events' });
    expect(answer.statusCode).toBe(415);
  });
});

describe('POST /v1/events rejects one event, by index, code, field and message, if it', () => {
  const good = exampleEvent({ number: 1 });
  const rejections: [name: string, event: unknown, code: string, field: string][] = [
    ['is no object', 17, 'not_an_event', ''],
    ['has no type', { ...good, type: undefined }, 'not_an_event', '/type'],
    ['is of an unknown type', { ...good, type: 'pi.turn.imagined.v1' }, 'unknown_type', '/type'],
    [
      'is of an unknown version',
      { ...good, type: 'pi.turn.completed.v7' },
      'unknown_version',
      '/type',
    ],
    ['lacks a field of the envelope', { ...good, subject: undefined }, 'schema', '/subject'],
    [
      'has a wrong figure deep inside',
      exampleEvent({ number: 2, data: { turnIndex: -1 } }),
      'schema',
      '/data/turnIndex',
    ],
    ['has a random id', { ...good, id: '5b9f0000-0000-4000-8000-000000000000' }, 'schema', '/id'],
    [
      'happened on 31 February',
      exampleEvent({ number: 2, time: '2026-02-31T00:00:00.000Z' }),
      'schema',
      '/time',
    ],
    [
      'happens in the far future',
      exampleEvent({ number: 2, time: '2031-01-01T00:00:00.000Z' }),
      'time_in_future',
      '/time',
    ],
    [
      'is too large',
      exampleEvent({ number: 2, data: { more: 'x'.repeat(limits.eventBytesMax) } }),
      'too_large',
      '',
    ],
  ];

  it.each(rejections)('%s', async (_name, event, code, field) => {
    const ledger = await homes.open();
    const answer = await post(ledger, [good, event, exampleEvent({ number: 3 })]);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      accepted: 2,
      duplicates: 0,
      rejected: [{ index: 1, code, field }],
    });
    const [letter] = await ledger.log.deadLetters(0, 10);
    expect(letter).toMatchObject({ code, field, message: answer.json().rejected[0].message });
    expect(JSON.stringify(event).startsWith(letter?.body.slice(0, 1_000) ?? 'nothing')).toBe(true);
  });

  it('is within the hours that a clock may be wrong by, it accepts', async () => {
    const ledger = await homes.open();
    expect(
      (await post(ledger, [exampleEvent({ number: 1, time: '2026-11-23T11:59:59.999Z' })])).json()
        .accepted,
    ).toBe(1);
  });

  it('comes with thousands of its kind: the answer stays small', async () => {
    const ledger = await homes.open();
    const events = Array.from({ length: 500 }, () => ({ ...good, type: 'x'.repeat(5_000) }));
    const answer = await post(ledger, events);
    expect(answer.json().rejected).toHaveLength(500);
    expect(answer.text.length).toBeLessThan(500 * 400);
  });
});

describe('POST /v1/events on a store that cannot be written', () => {
  it('answers 503 with Retry-After and acknowledges nothing', async () => {
    const ledger = await homes.open();
    await ledger.log.close();
    const answer = await post(ledger, exampleEvents(1, 1));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json().code).toBe('store_unavailable');
    expect(answer.text).not.toMatch(/\.ts\b|sqlite|database/i);
  });
});
