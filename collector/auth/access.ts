/**
 * What a caller may do. Pure: the time is an argument.
 *
 * `admin` includes `ingest` and `read`. `tokens` (creating and revoking tokens) always needs a
 * token, even if the collector requires none for anything else: on a shared machine everybody can
 * use the loopback address.
 */
import { LedgerError } from '../errors.ts';
import type { Condition } from '../views/views.ts';
import type { AccessToken, ReadLimit, TokenScope } from './tokens.ts';

/**
 * What a route requires. `public`: nothing; such a route tells a caller without a token nothing
 * about the ledger.
 */
export const routeScopes = ['public', 'ingest', 'read', 'admin', 'tokens'] as const;
export type RouteScope = (typeof routeScopes)[number];

export interface Caller {
  /** It is null for a caller without a token. */
  readonly tokenId: string | null;
  /** The user of the token; null for this machine's own programs. */
  readonly user: string | null;
  readonly scopes: readonly RouteScope[];
  readonly reading: ReadLimit;
  /** Answers tell of no group of fewer users; 0: of everybody. */
  readonly usersMin: number;
}

/** This process itself, and commands that can read `collector.json`. */
export const machineCaller: Caller = {
  tokenId: null,
  user: null,
  scopes: routeScopes,
  reading: { is: 'none' },
  usersMin: 0,
};

/** Any program that reaches a collector that requires no tokens. */
export const localCaller: Caller = {
  ...machineCaller,
  scopes: ['public', 'ingest', 'read', 'admin'],
};

/** `minimumUsers`: the floor for tokens that may not read everything, and more than their own. */
export function callerWith(
  { id, user, scopes, reading }: AccessToken,
  minimumUsers: number,
): Caller {
  const seesPersons = scopes.includes('admin') || reading.is === 'own';
  return {
    tokenId: id,
    user,
    scopes: [...new Set(scopes.flatMap((scope) => includedIn[scope]))],
    reading,
    usersMin: seesPersons ? 0 : minimumUsers,
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

export type TokenStatus = 'valid' | 'expired' | 'revoked';

export function tokenStatus({ revokedAtMs, expiresAtMs }: AccessToken, nowMs: number): TokenStatus {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid';
}

/**
 * Conditions to add to every query of this caller. The columns have the same names in session
 * documents and in rollups.
 */
export function readConditions({ reading, user }: Caller): readonly Condition[] {
  switch (reading.is) {
    case 'none':
      return [];
    case 'own':
      // A caller without a user owns nothing.
      return [{ column: 'user', is: 'in', values: user === null ? [] : [user] }];
    case 'projects':
      return [{ column: 'project', is: 'in', values: reading.projects }];
  }
}

/** A caller with a floor asked for what belongs to one person. `which`: what it may ask for. */
export function belowFloor(usersMin: number, which = ''): LedgerError {
  return new LedgerError('scope_missing', {
    message:
      `This collector tells this token about groups of ${usersMin} users and more only${which}. ` +
      'Ask its administrator.',
  });
}
