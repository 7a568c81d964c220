/**
 * Tokens, kept beside the log: who may use a collector that requires them.
 *
 * Contract (test/suites/tokens.ts holds every implementation to it):
 * - The store keeps a token's SHA-256, never its text. `find` uses an index over it; the caller
 *   compares the result again, in constant time.
 * - `create` and `revoke` resolve when they are durable. There is no cache: a `find` that begins
 *   after a `revoke` resolved sees it, from any process.
 * - A revoked token stays in the list, so that its history can be seen. At most `tokensMax` are
 *   kept.
 * - A rejected promise means that the store failed: the caller must allow nothing.
 */

export const tokenScopes = ['ingest', 'read', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What a token sees of the views; `own`: what counts for its user. */
export type ReadLimit =
  | { readonly is: 'none' }
  | { readonly is: 'own' }
  | { readonly is: 'projects'; readonly projects: readonly string[] };

export interface AccessToken {
  /** Twelve hex digits, independent of the token's text. */
  readonly id: string;
  /** Everything sent with the token counts for this user, whatever the producer says. */
  readonly user: string;
  readonly scopes: readonly TokenScope[];
  readonly reading: ReadLimit;
  readonly note: string | null;
  readonly createdAtMs: number;
  /** It is null for a token that never expires. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface StoredToken extends AccessToken {
  /** SHA-256 of its text, 32 bytes. */
  readonly hash: Uint8Array;
}

/** Revoked and expired ones included. */
export const tokensMax = 10_000;

export interface TokenRegistry {
  /**
   * `known`: a token with this id or hash exists, and is left as it is. `full`: there are
   * `tokensMax` tokens.
   */
  create(token: StoredToken): Promise<'created' | 'known' | 'full'>;
  /** All of them, oldest first. */
  list(): Promise<readonly StoredToken[]>;
  /**
   * Returns the token after that; one revoked earlier keeps its time. Null: there is no such token.
   */
  revoke(id: string, atMs: number): Promise<StoredToken | null>;
  find(hash: Uint8Array): Promise<StoredToken | null>;
  /** By the first half of the hash, 16 bytes; revoked and expired tokens, too. */
  findNamed(name: Uint8Array): Promise<StoredToken | null>;
  close(): Promise<void>;
}
