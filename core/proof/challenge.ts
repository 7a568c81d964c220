/**
 * What a client asks a listener at the collector's address, and how it checks the answer. Pure.
 *
 * Guarantees: the question contains neither token nor event; an answer is valid for this question
 * only.
 */
import { anywhere, isProof, joinAddress, type Proofs, proofOf, tokenKeyOf } from './proof.ts';

export interface ChallengeOptions {
  /** It is null for a home without a key, on which no collector has run. */
  readonly homeKey: Uint8Array | null;
  readonly token: string | null;
  /**
   * The user set the address: a tunnel or proxy may be there, so a token's proof is valid from any
   * address.
   */
  readonly isUrlNamed: boolean;
  /** New for each challenge: 256 random bits, base64url. */
  readonly nonce: string;
}

export type ProofVerdict =
  | { readonly is: 'proven' }
  /** `reason` follows "is not a trusted collector"; `remedy` is a sentence. */
  | { readonly is: 'unproven'; readonly reason: string; readonly remedy: string };

export interface Challenge {
  /** Relative to the collector's URL, with its query. */
  readonly path: string;
  /** `ip` and `port` are the remote end of the connection. */
  judge(
    answer: { readonly status: number; readonly body: string },
    ip: string | undefined,
    port: number | undefined,
  ): ProofVerdict;
}

export function createChallenge({
  homeKey,
  token,
  isUrlNamed,
  nonce,
}: ChallengeOptions): Challenge {
  const tokenKey = tokenKeyOf(token);
  const query = new URLSearchParams({
    nonce,
    ...(tokenKey === null ? {} : { tokenName: tokenKey.name }),
  });

  function isProven({ home, token: ofToken }: Proofs, address: string | null): boolean {
    if (
      address !== null &&
      homeKey !== null &&
      isProof(home, proofOf(homeKey, 'home', nonce, address))
    )
      return true;
    if (tokenKey === null || ofToken === null) return false;
    if (address !== null && isProof(ofToken.here, proofOf(tokenKey.key, 'token', nonce, address)))
      return true;
    return isUrlNamed && isProof(ofToken.anywhere, proofOf(tokenKey.key, 'token', nonce, anywhere));
  }

  return {
    path: `/v1/proof?${query}`,
    judge({ status, body }, ip, port) {
      if (status === 404)
        return {
          is: 'unproven',
          reason: `status ${status}: another program, or an older collector`,
          remedy: anotherProgram,
        };
      const proofs = status === 200 ? proofsIn(body) : null;
      if (proofs === null)
        return {
          is: 'unproven',
          reason: `status ${status} without a proof`,
          remedy: anotherProgram,
        };
      if (isProven(proofs, joinAddress(ip, port))) return { is: 'proven' };
      return tokenKey === null
        ? {
            is: 'unproven',
            reason: 'it did not prove that it can read this home',
            remedy: needsToken,
          }
        : {
            is: 'unproven',
            reason: 'it did not prove that it knows the token',
            remedy: needsOtherToken,
          };
    },
  };
}

const anotherProgram =
  'If it is an older collector, update and restart it; ' +
  'otherwise give the collector another port (PI_LEDGER_PORT).';
const needsToken =
  'If it is a collector of another home, machine or user, create a token there ' +
  '(`token create`) and set PI_LEDGER_URL and PI_LEDGER_TOKEN.';
const needsOtherToken =
  'If it is your collector, set PI_LEDGER_URL to its address ' +
  'and PI_LEDGER_TOKEN to a token created there.';

/** Returns null unless it looks like a collector's answer. */
function proofsIn(body: string): Proofs | null {
  try {
    const { home, token } = JSON.parse(body) as Record<string, unknown>;
    if (home === undefined || token === undefined) return null;
    const { here, anywhere: everywhere } = (token ?? {}) as Record<string, unknown>;
    return {
      home: textOrNull(home),
      token:
        typeof here === 'string' && typeof everywhere === 'string'
          ? { here, anywhere: everywhere }
          : null,
    };
  } catch {
    return null; // not JSON, or not an object: not a collector
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
