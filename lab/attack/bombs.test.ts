/** Bodies that are small as sent and large, deep or strange when they are read. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { exampleEvent, exampleEvents } from '../../test/collector/support/events.ts';
import type { Attack } from './support/attacks.ts';
import { type AttackedCollector, attackedRoles, startAttacked } from './support/collector.ts';
import { faultsOf } from './support/invariants.ts';
import type { WireAnswer } from './support/wire.ts';

const directory = temporaryDirectory();
let collector: AttackedCollector;

const mebibyte = 1024 * 1024;

async function offered(
  body: Buffer,
  headers: readonly string[] = [],
  more: Partial<Attack> = {},
): Promise<WireAnswer> {
  const type = 'Content-Type: application/cloudevents-batch+json';
  const attack: Attack = {
    ...{ method: 'POST', target: '/v1/events', headers: [type, ...headers], body },
    ...{ caller: 'ingest', operation: 'POST /v1/events', scope: 'ingest', ...more },
  };
  const answer = await collector.attack(attack);
  expect(faultsOf(attack, answer, collector)).toEqual([]);
  return answer;
}

const zipped = ['Content-Encoding: gzip'];
const bombs: Readonly<Record<string, Buffer>> = {
  blanks: gzipSync(Buffer.alloc(256 * mebibyte, ' ')),
  brackets: gzipSync(Buffer.alloc(64 * mebibyte, '[')),
  events: gzipSync(
    `[${Array(200_000)
      .fill(JSON.stringify(exampleEvents(1, 1)[0]))
      .join()}]`,
  ),
  'many members': Buffer.concat(
    Array<Buffer>(200).fill(gzipSync(Buffer.alloc(mebibyte, ' '), { level: 9 })),
  ),
  'a size that lies': withSize(gzipSync(Buffer.alloc(128 * mebibyte)), 10),
};

/** RFC 1952: the last four bytes say how large it is when it is inflated. */
function withSize(bomb: Buffer, bytes: number): Buffer {
  const lying = Buffer.from(bomb);
  lying.writeUInt32LE(bytes, lying.length - 4);
  return lying;
}

const nobody = { caller: 'nobody' as const };
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const eventWith = (field: string, json: string, number = 70_000): Buffer => {
  const text = JSON.stringify(exampleEvent({ number }));
  return Buffer.from(`[${text.slice(0, -1)},${JSON.stringify(field)}:${json}}]`);
};

describe.each(attackedRoles)('on the role %s:', (role) => {
  beforeAll(async () => {
    collector = await startAttacked(directory, { role });
  });
  afterAll(() => collector.stop());

  describe('a gzip bomb', () => {
    it.each(Object.keys(bombs))('is refused: %s', async (name) => {
      const { status } = await offered(bombs[name] ?? Buffer.alloc(0), zipped);
      expect([400, 413]).toContain(status);
    });

    it('inside a gzip is only a body that is no JSON', async () => {
      const { status, body } = await offered(gzipSync(bombs.blanks ?? ''), zipped);
      expect([status, JSON.parse(body).code]).toEqual([400, 'not_json']);
    });

    it('is not inflated for who has no token', async () => {
      expect((await offered(bombs.blanks ?? Buffer.alloc(0), zipped, nobody)).status).toBe(401);
    });

    it('takes no memory that is not given back, however many come at once', async () => {
      const names = Object.keys(bombs);
      for (let round = 0; round < 4; round += 1)
        await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            const bomb = bombs[names[n % names.length] ?? ''] ?? Buffer.alloc(0);
            expect([400, 413]).toContain((await offered(bomb, zipped)).status);
          }),
        );
      // All of them inflated would be 13 GB.
      expect(collector.process.residentBytes()).toBeLessThan(1_024 * mebibyte);
      expect(await collector.isReady()).toBe(true);
    });
  });

  describe('JSON', () => {
    it.each([
      ['an array 900,000 deep', Buffer.from(deep(900_000))],
      ['an array that never ends', Buffer.from('['.repeat(1_500_000))],
      ['objects 200,000 deep', Buffer.from('{"a":'.repeat(200_000))],
      ['a text without an end', Buffer.from(`["${'\\u0000'.repeat(100_000)}`)],
      ['a million commas', Buffer.from(`[${','.repeat(1_000_000)}]`)],
      ['a number of a million digits', Buffer.from(`[${'9'.repeat(1_000_000)}]`)],
    ])('is answered, whatever it is: %s', async (_, body) => {
      expect([200, 400, 413]).toContain((await offered(body)).status);
      expect(await collector.isReady()).toBe(true);
    });

    it.each(['data', 'id', 'subject', 'time', 'source', 'traceparent', '__proto__'])(
      'of an event is refused by itself where its %s is deep, large or not a number',
      async (field) => {
        const values = [deep(100_000), '1e400', '9'.repeat(100_000), '{"__proto__":{"x":1}}'];
        for (const value of values) {
          const { status, body } = await offered(eventWith(field, value));
          expect(status).toBe(200);
          const { accepted, duplicates, rejected } = JSON.parse(body);
          expect(accepted + duplicates + rejected.length).toBe(1);
        }
        expect(await collector.isReady()).toBe(true);
      },
    );
  });

  if (role === 'all')
    describe('JSON to a ledger', () => {
      it('with a key twice counts as what a parser reads, checked and logged', async () => {
        const body = eventWith('subject', '"read-last"', 70_001);
        expect(JSON.parse((await offered(body)).body)).toMatchObject({ accepted: 1 });
        const session = {
          method: 'GET',
          target: '/v1/sessions/read-last',
          body: null,
          headers: [],
        };
        const { status } = await offered(Buffer.alloc(0), [], { ...session, caller: 'machine' });
        expect(status).toBe(200);
      });

      it('with __proto__ changes no object but its own', async () => {
        const fields = ['user', 'scopes', 'onlyOwn', '__proto__', 'constructor'];
        for (const field of fields) {
          const claim = '{"scopes":["admin"],"isAdmin":true}';
          const text = `{"user":"eve","scopes":["read"],"${field}":${claim}}`;
          const { status } = await offered(Buffer.from(text), [], {
            ...{
              target: '/v1/tokens',
              headers: ['Content-Type: application/json'],
              scope: 'admin',
            },
            ...{ caller: 'machine', operation: 'POST /v1/tokens' },
          });
          expect([field, status]).toEqual([field, 400]);
        }
        const read = { method: 'GET', target: '/v1/tokens', body: null, headers: [] };
        const as = (caller: 'own' | 'nobody') =>
          offered(Buffer.alloc(0), [], { ...read, caller, scope: 'admin' });
        expect([(await as('own')).status, (await as('nobody')).status]).toEqual([403, 401]);
      });
    });
});
