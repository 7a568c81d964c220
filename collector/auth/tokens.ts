/**
 * Tokens: who may talk to a collector that asks for them, kept beside the log.
 *
 * Contract (the suite in test/suites/tokens.ts holds every implementation to it):
 * - What is stored of a token is its SHA-256, never its text. `find` goes by an index over it; the
 *   caller compares what it found once more, in constant time.
 * - `create` and `revoke` resolve when they are durable. There is no cache: a `find` that begins
 *   after a `revoke` resolved sees it, from whichever process.
 * - A revoked token stays in the list, for whoever asks later what happened. At most `tokensMax`
 *   are kept.
 * - A rejected promise means that the store failed, and that nothing may be allowed on the strength
 *   of it.
 */

export const tokenScopes = ['ingest', 'read', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** What a token sees of the views; `own`: what counts for the user that it is bound to. */
export type ReadLimit =
  | { readonly is: 'none' }
  | { readonly is: 'own' }
  | { readonly is: 'projects'; readonly projects: readonly string[] };

export interface Token {
  /** Twelve hex digits; says nothing of the token's text. */
  readonly id: string;
  /**
   * Whom it is bound to: what comes in with it counts for this user, whatever the producer says.
   */
  readonly user: string;
  readonly scopes: readonly TokenScope[];
  readonly reading: ReadLimit;
  readonly note: string | null;
  readonly createdAtMs: number;
  /** Null: never. */
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface StoredToken extends Token {
  /** SHA-256 of its text, 32 bytes. */
  readonly hash: Uint8Array;
}

/** Revoked and expired ones included. */
export const tokensMax = 10_000;

export interface Tokens {
  /**
   * `known`: a token of this id or hash is there already, and stays as it is. `full`: `tokensMax`
   * are there.
   */
  create(token: StoredToken): Promise<'created' | 'known' | 'full'>;
  /** All of them, oldest first. */
  list(): Promise<readonly StoredToken[]>;
  /**
   * The token as it is then; one that was revoked before keeps the time of that. Null: there is
   * none of this id.
   */
  revoke(id: string, atMs: number): Promise<StoredToken | null>;
  find(hash: Uint8Array): Promise<StoredToken | null>;
  /** By the first half of its hash, 16 bytes, revoked and expired ones too. */
  findNamed(name: Uint8Array): Promise<StoredToken | null>;
  close(): Promise<void>;
}
