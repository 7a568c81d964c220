/**
 * From an Authorization header to a caller.
 *
 * Guarantees: each request is looked up in the store, so what was revoked is refused at once; what
 * does not look like a token is refused without a look-up; secrets are compared as digests, in
 * constant time. Does not: say anything of a token's text, in results or errors. Rejects when the
 * store fails.
 */
import { type Caller, callerWith, machineCaller, standingOf } from './access.ts';
import { hashOf, isSameHash, isTokenText } from './token-text.ts';
import type { Tokens } from './tokens.ts';

export type Authentication =
  | { readonly is: 'caller'; readonly caller: Caller }
  | { readonly is: 'refused'; readonly why: 'missing' | 'unknown' | 'expired' | 'revoked' };

export type Authenticate = (authorization: string | undefined) => Promise<Authentication>;

export interface AuthenticateOptions {
  readonly tokens: Pick<Tokens, 'find'>;
  /** Of this process: commands find it in the collector's file. Null: there is none. */
  readonly machineToken: string | null;
  readonly now: () => number;
}

export function createAuthenticate({
  tokens,
  machineToken,
  now,
}: AuthenticateOptions): Authenticate {
  const machineHash = machineToken === null ? null : hashOf(machineToken);
  return async (authorization) => {
    if (authorization === undefined) return { is: 'refused', why: 'missing' };
    const text = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    if (!isTokenText(text)) return { is: 'refused', why: 'unknown' };
    const hash = hashOf(text);
    if (machineHash !== null && isSameHash(hash, machineHash))
      return { is: 'caller', caller: machineCaller };
    const token = await tokens.find(hash);
    if (token === null || !isSameHash(hash, token.hash)) return { is: 'refused', why: 'unknown' };
    const standing = standingOf(token, now());
    return standing === 'valid'
      ? { is: 'caller', caller: callerWith(token) }
      : { is: 'refused', why: standing };
  };
}
