/**
 * The tokens of a ledger, known for a while: for a gateway, which must let agents in while the
 * database is away.
 *
 * Contract: the list is read anew every `readEveryMs`, and at once, though at most once a second,
 * for a token that is not in it. So a token that was revoked works for `readEveryMs` longer, and
 * for `knownMsMax` while the store cannot be read; after that look-ups reject, and nobody is let
 * in. SECURITY.md states both. It holds hashes and never a token's text.
 */

import { hashesNamed } from '../auth/token-text.ts';
import type { StoredToken, TokenRegistry } from '../auth/tokens.ts';
import { repeatEvery } from '../timers/repeat.ts';

export interface KnownTokensOptions {
  list(): Promise<readonly StoredToken[]>;
  readonly now: () => number;
  onError(error: unknown): void;
}

export interface KnownTokens extends Pick<TokenRegistry, 'find' | 'findNamed'> {
  /** Whether look-ups are answered while the store is away. */
  areKnown(): boolean;
  stop(): Promise<void>;
}

const readEveryMs = 15_000;
export const knownMsMax = 15 * 60_000;
const askAgainMs = 1_000;

interface Known {
  readonly byHash: ReadonlyMap<string, StoredToken>;
  readonly atMs: number;
}

export function createKnownTokens({ list, now, onError }: KnownTokensOptions): KnownTokens {
  let known: Known | null = null;
  let reading: Promise<Known> | null = null;

  async function read(): Promise<Known> {
    const atMs = now();
    const byHash = new Map((await list()).map((token) => [toHex(token.hash), token]));
    known = { byHash, atMs };
    return known;
  }

  function readShared(): Promise<Known> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  function knownAt(nowMs: number): Known | null {
    return known !== null && nowMs - known.atMs <= knownMsMax ? known : null;
  }

  async function search(
    find: (tokens: ReadonlyMap<string, StoredToken>) => StoredToken | undefined,
  ): Promise<StoredToken | null> {
    const nowMs = now();
    const usable = knownAt(nowMs) ?? (await readShared());
    const found = find(usable.byHash);
    if (found !== undefined || nowMs - usable.atMs < askAgainMs) return found ?? null;
    return find((await readShared()).byHash) ?? null;
  }

  const loop = repeatEvery(readEveryMs, async () => void (await readShared()), onError);
  return {
    find: (hash) => search((tokens) => tokens.get(toHex(hash))),
    findNamed(name) {
      const { first, last } = hashesNamed(name);
      const [low, high] = [toHex(first), toHex(last)];
      return search((tokens) => {
        for (const [hash, token] of tokens) if (hash >= low && hash <= high) return token;
        return undefined;
      });
    },
    areKnown: () => knownAt(now()) !== null,
    stop: () => loop.stop(),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
