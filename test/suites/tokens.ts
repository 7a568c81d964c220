/** What every implementation of Tokens must do (collector/auth/tokens.ts). */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../collector/auth/token-text.ts';
import { type StoredToken, type TokenRegistry, tokenScopes } from '../../collector/auth/tokens.ts';

export interface TokensUnderTest {
  readonly tokens: TokenRegistry;
  /** Opens the same store again, beside the first, as another process would. */
  openBeside(): Promise<TokenRegistry>;
}

const createdAtMs = Date.parse('2026-11-22T12:00:00.000Z');
let number = 0;

function newToken(change: Partial<StoredToken> = {}): StoredToken {
  number += 1;
  return {
    id: number.toString(16).padStart(12, '0'),
    hash: hashToken(`token ${number}`),
    user: 'ada',
    scopes: ['ingest', 'read'],
    reading: { is: 'none' },
    note: null,
    createdAtMs,
    expiresAtMs: null,
    revokedAtMs: null,
    ...change,
  };
}

export function tokensSuite(name: string, open: () => Promise<TokensUnderTest>): void {
  const opened: TokenRegistry[] = [];
  const openTokens = async (): Promise<TokensUnderTest> => {
    const { tokens, openBeside } = await open();
    opened.push(tokens);
    return {
      tokens,
      async openBeside() {
        const beside = await openBeside();
        opened.push(beside);
        return beside;
      },
    };
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((tokens) => tokens.close()));
  });

  describe(`tokens: ${name}`, () => {
    it('has none at first', async () => {
      const { tokens } = await openTokens();
      expect(await tokens.list()).toEqual([]);
      expect(await tokens.find(hashToken('anything'))).toBeNull();
      expect(await tokens.revoke('000000000000', createdAtMs)).toBeNull();
    });

    it('finds a token, even a revoked one, by the first half of its hash', async () => {
      const { tokens } = await openTokens();
      const kept = Array.from({ length: 20 }, () => newToken());
      const edge = newToken({
        hash: Buffer.concat([Buffer.alloc(16, 0xff), Buffer.alloc(16, 0xff)]),
      });
      for (const token of [...kept, edge]) await tokens.create(token);
      const [first] = kept as [StoredToken];
      await tokens.revoke(first.id, createdAtMs + 1);
      for (const { id, hash } of [...kept, edge])
        expect((await tokens.findNamed(hash.subarray(0, 16)))?.id).toBe(id);
      const other = Buffer.from(first.hash.subarray(0, 16));
      other.writeUInt8(other.readUInt8(15) ^ 1, 15);
      expect(await tokens.findNamed(other)).toBeNull();
    });

    it('gives a token back as it was made, by its hash, to whoever opens the store', async () => {
      const { tokens, openBeside } = await openTokens();
      const token = newToken({
        reading: { is: 'projects', projects: ['shop', 'ärger $x.y'] },
        note: "for Ada's laptop",
        expiresAtMs: 1,
      });
      expect(await tokens.create(token)).toBe('created');
      expect(plain(await tokens.find(token.hash))).toEqual(plain(token));
      const beside = await openBeside();
      expect(plain(await beside.find(token.hash))).toEqual(plain(token));
      expect((await beside.list()).map(plain)).toEqual([plain(token)]);
    });

    it('keeps whatever a token may say', async () => {
      const { tokens } = await openTokens();
      const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
      const reading = fc.oneof(
        fc.constant({ is: 'none' as const }),
        fc.constant({ is: 'own' as const }),
        fc
          .array(text, { minLength: 1, maxLength: 5 })
          .map((projects) => ({ is: 'projects' as const, projects })),
      );
      const time = fc.option(fc.integer({ min: 0, max: 8_000_000_000_000 }));
      const wish = fc.record({
        user: text,
        note: fc.option(text),
        scopes: fc.subarray([...tokenScopes]),
        reading,
        expiresAtMs: time,
        revokedAtMs: time,
      });
      await fc.assert(
        fc.asyncProperty(wish, async (change) => {
          const token = newToken(change);
          expect(await tokens.create(token)).toBe('created');
          expect(plain(await tokens.find(token.hash))).toEqual(plain(token));
        }),
        { numRuns: 30 },
      );
    });

    it('finds none by a hash that is nearly one', async () => {
      const { tokens } = await openTokens();
      const token = newToken();
      await tokens.create(token);
      for (const at of [0, 31]) {
        const near = Uint8Array.from(token.hash);
        near[at] = (near[at] ?? 0) ^ 1;
        expect(await tokens.find(near)).toBeNull();
      }
      expect(await tokens.find(token.hash.subarray(0, 31))).toBeNull();
      expect(await tokens.find(new Uint8Array())).toBeNull();
    });

    it('lists the oldest first', async () => {
      const { tokens } = await openTokens();
      const made = [3, 1, 2].map((age) => newToken({ createdAtMs: createdAtMs + age }));
      for (const token of made) await tokens.create(token);
      expect((await tokens.list()).map((token) => token.createdAtMs - createdAtMs)).toEqual([
        1, 2, 3,
      ]);
    });

    it('revokes at once, for everybody who has the store open, and keeps the time', async () => {
      const { tokens, openBeside } = await openTokens();
      const beside = await openBeside();
      const token = newToken();
      await tokens.create(token);
      expect((await beside.find(token.hash))?.revokedAtMs).toBeNull();
      expect((await tokens.revoke(token.id, createdAtMs + 5))?.revokedAtMs).toBe(createdAtMs + 5);
      expect((await beside.find(token.hash))?.revokedAtMs).toBe(createdAtMs + 5);
      expect((await beside.revoke(token.id, createdAtMs + 9))?.revokedAtMs).toBe(createdAtMs + 5);
      expect((await tokens.list()).map(({ revokedAtMs }) => revokedAtMs)).toEqual([
        createdAtMs + 5,
      ]);
    });

    it('revokes no other', async () => {
      const { tokens } = await openTokens();
      const [one, other] = [newToken(), newToken()];
      await tokens.create(one);
      await tokens.create(other);
      await tokens.revoke(one.id, createdAtMs);
      expect((await tokens.find(other.hash))?.revokedAtMs).toBeNull();
    });

    it('keeps a token that it knows by id or hash: a copy can be repeated', async () => {
      const { tokens } = await openTokens();
      const token = newToken();
      await tokens.create(token);
      await tokens.revoke(token.id, createdAtMs + 1);
      expect(await tokens.create(token)).toBe('known');
      expect(await tokens.create({ ...newToken(), hash: token.hash, user: 'bob' })).toBe('known');
      expect(await tokens.create({ ...newToken(), id: token.id, user: 'bob' })).toBe('known');
      expect((await tokens.list()).map(({ user, revokedAtMs }) => [user, revokedAtMs])).toEqual([
        ['ada', createdAtMs + 1],
      ]);
    });

    it('makes many at once from several processes, each once', async () => {
      const { tokens, openBeside } = await openTokens();
      const both = [tokens, await openBeside()];
      const made = Array.from({ length: 20 }, () => newToken({ hash: randomBytes(32) }));
      const outcomes = await Promise.all(
        made.flatMap((token) => both.map((store) => store.create(token))),
      );
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(20);
      expect(await tokens.list()).toHaveLength(20);
    });
  });
}

/** Stores return a Buffer or a Uint8Array. */
function plain(token: StoredToken | null): object | null {
  return token === null ? null : { ...token, hash: Buffer.from(token.hash).toString('hex') };
}
