import * as crypto from 'node:crypto';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredToken } from '../../../collector/auth/tokens.ts';

// The real function, with its calls written down.
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});
// Other files of this process may have loaded these with the function as it is.
vi.resetModules();
const { createAuthenticate } = await import('../../../collector/auth/authenticate.ts');
const { drawTokenText, hashToken, isTokenText } = await import(
  '../../../collector/auth/token-text.ts'
);
const compared = vi.mocked(crypto.timingSafeEqual);

const [machineToken, known] = [drawTokenText(randomBytes), drawTokenText(randomBytes)];
const stored: StoredToken = {
  id: '0123456789ab',
  hash: hashToken(known),
  user: 'ada',
  scopes: ['read'],
  reading: { is: 'none' },
  note: null,
  createdAtMs: 0,
  expiresAtMs: null,
  revokedAtMs: null,
};

/** Every look-up finds `found`. */
function subject(found: StoredToken | null = null) {
  const asked: Uint8Array[] = [];
  const find = async (hash: Uint8Array): Promise<StoredToken | null> => {
    asked.push(hash);
    return found;
  };
  return {
    asked,
    authenticate: createAuthenticate({
      tokens: { find },
      machineToken,
      minimumUsers: 0,
      now: () => 1_000,
    }),
  };
}

beforeEach(() => {
  compared.mockClear();
});

describe('who a request is from', () => {
  it('is found by the hash of its token', async () => {
    const { authenticate, asked } = subject(stored);
    expect(await authenticate(`Bearer ${known}`)).toMatchObject({
      is: 'caller',
      caller: { tokenId: stored.id, user: 'ada' },
    });
    expect(asked).toEqual([hashToken(known)]);
  });

  it('is this machine by its token, which is never looked up', async () => {
    const { authenticate, asked } = subject();
    expect(await authenticate(`Bearer ${machineToken}`)).toMatchObject({
      is: 'caller',
      caller: { tokenId: null, user: null },
    });
    expect(asked).toEqual([]);
  });

  it('is not believed of a store that answers with another token', async () => {
    const { authenticate } = subject({ ...stored, hash: hashToken('another') });
    expect(await authenticate(`Bearer ${known}`)).toEqual({ is: 'refused', why: 'unknown' });
    expect(
      await subject({ ...stored, hash: stored.hash.subarray(0, 31) }).authenticate(
        `Bearer ${known}`,
      ),
    ).toEqual({
      is: 'refused',
      why: 'unknown',
    });
  });

  it('costs no look-up when it can be no token', async () => {
    const { authenticate, asked } = subject(stored);
    const header = fc.oneof(
      fc.string(),
      fc.string().map((text) => `Bearer ${text}`),
      fc.constantFrom(`Bearer ${known}x`, `Bearer ${known.slice(1)}`, known),
    );
    await fc.assert(
      fc.asyncProperty(header, async (text) => {
        expect(await authenticate(text)).toEqual({ is: 'refused', why: 'unknown' });
      }),
    );
    expect(asked).toEqual([]);
    expect(compared).not.toHaveBeenCalled();
  });

  it('is compared in constant time: whole digests of 32 bytes by timingSafeEqual', async () => {
    const { authenticate } = subject(stored);
    for (const text of [known, machineToken, drawTokenText(randomBytes), `pil_${'A'.repeat(43)}`])
      await authenticate(`Bearer ${text}`);
    expect(compared.mock.calls.length).toBeGreaterThanOrEqual(4);
    for (const digests of compared.mock.calls)
      for (const digest of digests) expect((digest as Uint8Array).length).toBe(32);
    // The machine's token is compared every time, a stored one whenever it is found.
    expect(compared.mock.calls).toHaveLength(4 + 3);
  });

  it('takes the time that it is now, not when the token was read before', async () => {
    let nowMs = 0;
    const token = { ...stored, expiresAtMs: 10 };
    const authenticate = createAuthenticate({
      tokens: { find: async () => token },
      machineToken: null,
      minimumUsers: 0,
      now: () => nowMs,
    });
    expect((await authenticate(`Bearer ${known}`)).is).toBe('caller');
    nowMs = 10;
    expect(await authenticate(`bearer   ${known}`)).toEqual({ is: 'refused', why: 'expired' });
  });
});

describe("a token's text", () => {
  it('is pil_ and 256 bits', () => {
    expect(drawTokenText(() => new Uint8Array(32))).toBe(`pil_${'A'.repeat(43)}`);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) =>
        isTokenText(drawTokenText(() => bytes)),
      ),
    );
    const asked: number[] = [];
    drawTokenText((count) => {
      asked.push(count);
      return randomBytes(count);
    });
    expect(asked).toEqual([32]);
  });
});
