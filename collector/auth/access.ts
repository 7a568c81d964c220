/**
 * What a caller may do. Pure: facts in, verdict out; the clock's reading is an argument.
 *
 * `admin` includes `ingest` and `read`. `tokens`, the making and revoking of tokens, is never open
 * to a caller without a token, not even where a collector asks for none: on a machine of several
 * people the loopback address is everybody's.
 */
import type { Condition } from '../views/views.ts';
import type { ReadLimit, Token, TokenScope } from './tokens.ts';

/**
 * What a route asks for. `public`: nothing; such a route says nothing about the ledger to a caller
 * without a token.
 */
export const routeScopes = ['public', 'ingest', 'read', 'admin', 'tokens'] as const;
export type RouteScope = (typeof routeScopes)[number];

export interface Caller {
  /** Of the token; null without one. */
  readonly tokenId: string | null;
  /** Whom the token is bound to; null for this machine's own programs. */
  readonly user: string | null;
  readonly scopes: readonly RouteScope[];
  readonly reading: ReadLimit;
}

/** This process itself, and commands that can read the collector's file. */
export const machineCaller: Caller = {
  tokenId: null,
  user: null,
  scopes: routeScopes,
  reading: { is: 'none' },
};

/** Any program that reaches a collector that asks for no tokens. */
export const localCaller: Caller = {
  ...machineCaller,
  scopes: ['public', 'ingest', 'read', 'admin'],
};

export function callerWith({ id, user, scopes, reading }: Token): Caller {
  return {
    tokenId: id,
    user,
    scopes: [...new Set(scopes.flatMap((scope) => includedIn[scope]))],
    reading,
  };
}

const includedIn: Readonly<Record<TokenScope, readonly RouteScope[]>> = {
  ingest: ['public', 'ingest'],
  read: ['public', 'read'],
  admin: routeScopes,
};

export function mayUse(caller: Caller, scope: RouteScope): boolean {
  return caller.scopes.includes(scope);
}

export type Standing = 'valid' | 'expired' | 'revoked';

export function standingOf({ revokedAtMs, expiresAtMs }: Token, nowMs: number): Standing {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid';
}

/**
 * What every query of this caller has to fulfil as well. The columns are named alike in sessions'
 * documents and in rollups.
 */
export function readConditions({ reading, user }: Caller): readonly Condition[] {
  switch (reading.is) {
    case 'none':
      return [];
    case 'own':
      // Bound to nobody, nothing is its own.
      return [{ column: 'user', is: 'in', values: user === null ? [] : [user] }];
    case 'projects':
      return [{ column: 'project', is: 'in', values: reading.projects }];
  }
}
