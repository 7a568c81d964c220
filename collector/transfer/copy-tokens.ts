/**
 * Copies tokens from one store to another: their hashes, so that the same texts work there. A token
 * revoked in the source is revoked in the target too.
 */
import type { StoredToken, Tokens } from '../auth/tokens.ts';

export interface TokensCopied {
  readonly added: number;
  /** Already in the target, and revoked in the source since. */
  readonly revoked: number;
  /** Tokens that the target has no room for, or has with the same hash. */
  readonly leftOut: number;
}

export async function copyTokens(from: Pick<Tokens, 'list'>, to: Tokens): Promise<TokensCopied> {
  const copied = { added: 0, revoked: 0, leftOut: 0 };
  const there = new Map((await to.list()).map((token) => [token.id, token]));
  // Valid tokens come first, in case there is not room for all.
  const tokens = (await from.list()).toSorted(
    (a, b) => Number(a.revokedAtMs !== null) - Number(b.revokedAtMs !== null),
  );
  for (const token of tokens) {
    const known = there.get(token.id);
    if (known !== undefined) copied.revoked += await revokeToo(token, known, to);
    else if ((await to.create(token)) === 'created') copied.added += 1;
    else copied.leftOut += 1;
  }
  return copied;
}

async function revokeToo(
  { id, revokedAtMs }: StoredToken,
  known: StoredToken,
  to: Tokens,
): Promise<0 | 1> {
  if (revokedAtMs === null || known.revokedAtMs !== null) return 0;
  await to.revoke(id, revokedAtMs);
  return 1;
}
