/**
 * From an Authorization header to a caller.
 *
 * Guarantees: every request looks its token up in the store, so a revoked token is refused at once;
 * text that is not a token is refused without a look-up; secrets are compared as digests, in
 * constant time; no result and no error contains a token's text. Rejects if the store fails.
 */
import { type Caller, callerWith, machineCaller, tokenStatus } from './access.ts';
import { hashToken, isSameHash, isTokenText } from './token-text.ts';
import type { TokenRegistry } from './tokens.ts';

export type Authentication =
  | { readonly is: 'caller'; readonly caller: Caller }
  | { readonly is: 'refused'; readonly why: 'missing' | 'unknown' | 'expired' | 'revoked' };

export type Authenticate = (authorization: string | undefined) => Promise<Authentication>;

export interface AuthenticateOptions {
  readonly tokens: Pick<TokenRegistry, 'find'>;
  /** This process's own, which commands find in `collector.json`; null: none. */
  readonly machineToken: string | null;
  readonly minimumUsers: number;
  readonly now: () => number;
}

export function createAuthenticate({
  tokens,
  machineToken,
  minimumUsers,
  now,
}: AuthenticateOptions): Authenticate {
  const machineHash = machineToken === null ? null : hashToken(machineToken);
  return async (authorization) => {
    if (authorization === undefined) return { is: 'refused', why: 'missing' };
    const text = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    if (!isTokenText(text)) return { is: 'refused', why: 'unknown' };
    const hash = hashToken(text);
    if (machineHash !== null && isSameHash(hash, machineHash))
      return { is: 'caller', caller: machineCaller };
    const token = await tokens.find(hash);
    if (token === null || !isSameHash(hash, token.hash)) return { is: 'refused', why: 'unknown' };
    const status = tokenStatus(token, now());
    return status === 'valid'
      ? { is: 'caller', caller: callerWith(token, minimumUsers) }
      : { is: 'refused', why: status };
  };
}
