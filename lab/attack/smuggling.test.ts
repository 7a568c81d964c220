/**
 * Requests written so that a proxy in front and the collector could disagree about where they end.
 * Each hides a second one, with an administrator's token, which must never be answered.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsIn } from '../../test/collector/support/contract-check.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { exampleEvents } from '../../test/collector/support/events.ts';
import { type AttackedCollector, attackedRoles, startAttacked } from './support/collector.ts';
import { guardedBy } from './support/guarded.ts';
import { answersIn, ask, send } from './support/wire.ts';

const directory = temporaryDirectory();
let collector: AttackedCollector;
let admin: string;

const event = JSON.stringify(exampleEvents(80_000, 1));
const eventHex = event.length.toString(16);
const type = 'Content-Type: application/cloudevents-batch+json';

/** A sender's request with these headers and this body, and another one right behind it. */
function withHidden(headers: readonly string[], body: string, line = 'POST /v1/events HTTP/1.1') {
  const sender = `Authorization: Bearer ${collector.tokens.ingest}`;
  const outer = [line, 'Host: localhost', sender, type, ...headers].join('\r\n');
  const hidden = [
    `GET ${guardedBy[collector.role].path} HTTP/1.1`,
    'Host: localhost',
    admin,
    'Connection: close',
  ];
  return `${outer}\r\n\r\n${body}${hidden.join('\r\n')}\r\n\r\n`;
}

const length = `Content-Length: ${event.length}`;
const chunked = 'Transfer-Encoding: chunked';
const inChunk = `${eventHex}\r\n${event}\r\n0\r\n\r\n`;

describe.each(attackedRoles)('on the role %s:', (role) => {
  const { path, field } = guardedBy[role];

  beforeAll(async () => {
    collector = await startAttacked(directory, { role });
    admin = `Authorization: Bearer ${collector.tokens.admin}`;
  });
  afterAll(() => collector.stop());

  describe('a request whose end can be read in two ways', () => {
    it.each<[string, readonly string[], string]>([
      ['a length and chunks', ['Content-Length: 4', chunked], inChunk],
      ['chunks and a length', [chunked, 'Content-Length: 4'], inChunk],
      ['two lengths', [length, 'Content-Length: 2'], event],
      ['the same length twice', [length, length], event],
      ['a list of lengths', [`${length}, ${event.length}`], event],
      ['a length with a sign', [`Content-Length: +${event.length}`], event],
      ['a length in hex', [`Content-Length: 0x${eventHex}`], event],
      ['a negative length', ['Content-Length: -1'], event],
      ['a length beyond 64 bits', ['Content-Length: 18446744073709551618'], event],
      ['an empty length', ['Content-Length:'], event],
      ['an unknown encoding', ['Transfer-Encoding: xchunked'], inChunk],
      ['chunks not last', [`${chunked}, identity`], inChunk],
      ['two encodings', [chunked, 'Transfer-Encoding: identity'], inChunk],
      ['chunks behind a vertical tab', ['Transfer-Encoding: \x0bchunked'], inChunk],
      ['a blank before the colon', ['Transfer-Encoding : chunked'], inChunk],
      ['a folded header', ['X: a', ` ${chunked}`, length], event],
      ['a folded length', ['Content-Length:', ` ${event.length}`], event],
      ['a line that ends with LF', [`X: a\n${chunked}`], inChunk],
      ['a line that ends with CR', [`X: a\r${chunked}`, length], event],
      ['NUL in a header', ['X: a\0b', length], event],
      ['a header without a name', [': x', length], event],
      ['a line that is no header', ['foo', length], event],
      ['a chunk in hex with 0x', [chunked], `0x${inChunk}`],
      ['a negative chunk', [chunked], `-${inChunk}`],
      ['a chunk beyond 64 bits', [chunked], `1000000000000000${inChunk}`],
      ['chunks whose lines end with LF', [chunked], inChunk.replaceAll('\r\n', '\n')],
      ['a chunk extension that ends with LF', [chunked], inChunk.replace('\r\n', ';a\n')],
      ['a chunk without an end', [chunked], inChunk.replace(']\r\n0', ']xx0')],
      [
        'a length in the trailer',
        [chunked],
        inChunk.replace('0\r\n', '0\r\nContent-Length: 9\r\n'),
      ],
    ])('is refused, and the connection ends: %s', async (_, headers, body) => {
      const answers = answersIn(await send(collector.url, withHidden(headers, body)));
      expect(answers.map(({ status }) => status)).toEqual([400]);
      const [answer] = answers;
      expect(errorsIn('error', JSON.parse(answer?.body ?? ''))).toEqual([]);
      expect(answer?.headers).toMatchObject({ connection: 'close', 'cache-control': 'no-store' });
    });

    it.each([
      'POST /v1/events HTTP/1.2',
      'POST /v1/events HTTP/2.0',
      'POST /v1/events http/1.1',
      'POST\t/v1/events\tHTTP/1.1',
      'POST /v1/events x HTTP/1.1',
      'PRI * HTTP/2.0',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ])('is refused for its first line: %j', async (line) => {
      const answers = answersIn(await send(collector.url, withHidden([length], event, line)));
      expect(answers.map(({ status }) => status)).toEqual([400]);
    });

    it('as HTTP/1.0 with chunks is refused', async () => {
      const line = 'POST /v1/events HTTP/1.0';
      const answers = answersIn(await send(collector.url, withHidden([chunked], inChunk, line)));
      expect(answers.map(({ status }) => status)).toEqual([400]);
    });
  });

  describe('a request whose end is clear', () => {
    it.each<[string, readonly string[], string]>([
      ['a length', [length], event],
      ['a length with a zero before it', [`Content-Length: 0${event.length}`], event],
      ['chunks', [chunked], inChunk],
      ['chunks in capitals', ['Transfer-Encoding: CHUNKED'], inChunk],
      ['a chunk extension', [chunked], inChunk.replace('\r\n', ';a=b\r\n')],
    ])('ends there, and what follows is a request of its own: %s', async (_, headers, body) => {
      const answers = answersIn(await send(collector.url, withHidden(headers, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ rejected: [] });
      expect(JSON.parse(answers[1]?.body ?? '')[field]).toEqual(expect.any(Array));
    });

    it('has its body taken off the connection although the route reads none', async () => {
      const inner = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const headers = [`Content-Length: ${inner.length}`];
      const answers = answersIn(
        await send(collector.url, withHidden(headers, inner, 'GET /health/live HTTP/1.1')),
      );
      expect(answers.map(({ body }) => JSON.parse(body))).toEqual([
        { live: true },
        expect.objectContaining({ [field]: expect.any(Array) }),
      ]);
    });
  });

  describe('requests behind each other on one connection', () => {
    const live = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const guardedOf = (more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${admin}\r\n${more}\r\n`;

    it('are answered in their order', async () => {
      const many = `${live}${guardedOf()}`.repeat(50) + guardedOf('Connection: close\r\n');
      const answers = answersIn(await send(collector.url, many));
      expect(answers).toHaveLength(101);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const kinds = answers.map(({ body }) => ('live' in JSON.parse(body) ? 'live' : 'guarded'));
      expect(kinds).toEqual(
        [...Array.from({ length: 50 }, () => ['live', 'guarded']), 'guarded'].flat(),
      );
    });

    it('have only answers of their own when one of them is no HTTP', async () => {
      // The error of the third must not be read as the answer to the first.
      const answers = answersIn(await send(collector.url, `${guardedOf()}${guardedOf()}?\r\n\r\n`));
      for (const { body } of answers) expect(JSON.parse(body)).not.toHaveProperty('code');
    });
  });

  describe('a request that asks for another protocol', () => {
    it.each(['h2c', 'websocket', 'TLS/1.0'])('stays in this one: %s', async (protocol) => {
      const lines = [
        'Connection: Upgrade, close',
        `Upgrade: ${protocol}`,
        'Sec-WebSocket-Key: eA==',
      ];
      const head = ['GET /health/live HTTP/1.1', 'Host: localhost', ...lines].join('\r\n');
      expect((await ask(collector.url, `${head}\r\n\r\n`)).status).toBe(200);
    });

    it('opens no tunnel', async () => {
      const { port } = new URL(collector.url);
      const head = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: localhost\r\n${admin}\r\n\r\n`;
      expect(String(await send(collector.url, head))).toBe('');
    });

    it('is not sent back to its sender', async () => {
      const head = `TRACE ${path} HTTP/1.1\r\nHost: localhost\r\n${admin}\r\nConnection: close\r\n`;
      const { status, body } = await ask(collector.url, `${head}\r\n`);
      expect(status).toBe(404);
      expect(body).not.toContain('pil_');
    });
  });

  it.each([100, 500, 1_000, 1_500, 2_100])(
    'a second Authorization behind %i other headers is not overlooked',
    async (count) => {
      const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', admin];
      const head = [...lines, ...Array<string>(count).fill('a:'), 'Authorization: Bearer x'].join(
        '\r\n',
      );
      expect([403, 431]).toContain((await ask(collector.url, `${head}\r\n\r\n`)).status);
    },
  );
});
