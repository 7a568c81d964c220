/** What a gateway knows of tokens, and for how long. */
import { afterEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../../collector/auth/token-text.ts';
import type { StoredToken } from '../../../collector/auth/tokens.ts';
import { createKnownTokens, knownMsMax } from '../../../collector/process/known-tokens.ts';

const token = (text: string, change: Partial<StoredToken> = {}): StoredToken => ({
  ...{ id: text, hash: hashToken(text), user: 'ada', scopes: ['ingest'], reading: { is: 'none' } },
  ...{ note: null, createdAtMs: 0, expiresAtMs: null, revokedAtMs: null },
  ...change,
});

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.stop()));
});

function given(first: readonly StoredToken[]) {
  const store = { tokens: first, isAway: false, reads: 0 };
  const clock = { nowMs: 1_000_000 };
  const known = createKnownTokens({
    async list() {
      store.reads += 1;
      if (store.isAway) throw new Error('away');
      return store.tokens;
    },
    now: () => clock.nowMs,
    onError: () => undefined,
  });
  opened.push(known);
  return { store, clock, known };
}

describe('the tokens that a gateway knows', () => {
  it('are found by their hash and by its first half', async () => {
    const { known } = given([token('one'), token('two')]);
    expect((await known.find(hashToken('two')))?.id).toBe('two');
    expect((await known.findNamed(hashToken('one').subarray(0, 16)))?.id).toBe('one');
    expect(await known.find(hashToken('three'))).toBeNull();
  });

  it('are read again for one that is new, at most once a second', async () => {
    const { store, clock, known } = given([token('one')]);
    await known.find(hashToken('one'));
    store.tokens = [token('one'), token('new')];
    expect(await known.find(hashToken('new'))).toBeNull();
    clock.nowMs += 1_000;
    expect((await known.find(hashToken('new')))?.id).toBe('new');
    const { reads } = store;
    for (let guess = 0; guess < 100; guess += 1) await known.find(hashToken(`guess ${guess}`));
    expect(store.reads).toBe(reads);
  });

  it('are good for a while without the store, and then for nothing', async () => {
    const { store, clock, known } = given([token('one')]);
    await known.find(hashToken('one'));
    store.isAway = true;
    clock.nowMs += knownMsMax;
    expect((await known.find(hashToken('one')))?.id).toBe('one');
    clock.nowMs += 1;
    await expect(known.find(hashToken('one'))).rejects.toThrow('away');
    store.isAway = false;
    store.tokens = [token('one', { revokedAtMs: clock.nowMs })];
    expect((await known.find(hashToken('one')))?.revokedAtMs).toBe(clock.nowMs);
  });
});
